/** How far a long reading is. */
export interface ReadProgress {
  /** What is being read, as "managed resources". */
  readonly stage: string;
  readonly done: number;
  readonly total: number;
}

export type OnProgress = (progress: ReadProgress) => void;

// What a sync would make of the objects of an Application, by Argo CD's own comparison.
import { parseJson } from '../../model/parse-json.ts';
import { comparable, type PredictedObject } from '../../ports/predicted-object.ts';
import { managedResources } from './live.ts';

/** Without hooks, which no comparison predicts. Throws zod's error, or JSON's, where it is not what Argo CD answers. */
export function predictedObjects(given: unknown): readonly PredictedObject[] {
  return managedResources
    .parse(given)
    .items.filter(({ hook }) => !hook)
    .map(({ group, kind, namespace, name, ...states }) => {
      const { liveState, normalizedLiveState, targetState, predictedLiveState } = states;
      const live = stateOf(liveState, normalizedLiveState);
      const predicted = stateOf(targetState, predictedLiveState);
      return { group, kind, namespace, name, ...comparable(live, predicted) };
    });
}

/** Whether there is one says the plain state alone. */
function stateOf(plain: string, compared: string): unknown {
  if (isNone(plain)) return undefined;
  return parseJson(isNone(compared) ? plain : compared);
}

/** Argo CD writes nothing, or null. */
const isNone = (text: string): boolean => text === '' || text === 'null';

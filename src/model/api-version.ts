// The apiVersion of every file and every JSON document of Tiphys.

export const API_VERSION = 'tiphys.dev/v1alpha1';

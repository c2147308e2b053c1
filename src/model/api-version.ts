// What every file and every JSON document of ours says of its form.

export const API_VERSION = 'tiphys.dev/v1alpha1';

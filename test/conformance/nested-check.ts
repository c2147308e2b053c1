// The health check for nested Applications that Argo CD documents and does not ship.

/** Its key in argocd-cm. */
export const NESTED_CHECK = 'resource.customizations.health.argoproj.io_Application';

export const DOCUMENTED_CHECK = `hs = {}
hs.status = "Progressing"
hs.message = ""
if obj.status ~= nil then
  if obj.status.health ~= nil then
    hs.status = obj.status.health.status
    if obj.status.health.message ~= nil then
      hs.message = obj.status.health.message
    end
  end
end
return hs
`;

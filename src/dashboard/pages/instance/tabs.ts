export const instancePath = "~/app/instance"

export const tabs = [
  { path: instancePath, name: "Projects" },
  { path: `${instancePath}/health`, name: "Health" },
  { path: `${instancePath}/transports`, name: "Transports" },
  { path: `${instancePath}/requests`, name: "Requests" },
  { path: `${instancePath}/storage`, name: "Storage" },
  { path: `${instancePath}/backups`, name: "Backups" },
  { path: `${instancePath}/settings`, name: "Configuration" },
  { path: `${instancePath}/audit`, name: "Audit" },
] as const

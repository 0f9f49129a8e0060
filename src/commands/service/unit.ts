import source from "../../../config/mailstead.service" with { type: "text" }
import type { Places } from "./places.ts"

/** The settings that a personal service may have; the others need root, or name the user that root has created. */
const personal = [
  "Description",
  "ExecStartPre",
  "ExecStart",
  "EnvironmentFile",
  "WorkingDirectory",
  "UMask",
  "SyslogIdentifier",
  "KillSignal",
  "TimeoutStartSec",
  "TimeoutStopSec",
  "Restart",
  "RestartSec",
  "RestartPreventExitStatus",
  "LimitNOFILE",
  "MemoryMax",
  "TasksMax",
  "NoNewPrivileges",
  "LockPersonality",
  "RestrictRealtime",
  "SystemCallArchitectures",
]

/** The systemd unit for a server at these places, made from `config/mailstead.service`. */
export function unitText({ scope, executable, data, config, environment }: Places): string {
  if (scope === "system") return source
  const lines = source.split("\n").filter((line) => {
    const key = /^(\w+)=/.exec(line)?.[1]
    return key === undefined ? /^(?:\[.*\]|)$/.test(line) : personal.includes(key) || key === "WantedBy"
  })
  const moved = lines
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trimStart()
  const text = moved
    // Replacements are functions, because `$` is special in a replacement text.
    .replaceAll("/usr/local/bin/mailstead", () => quoted(executable))
    .replaceAll("/etc/mailstead/mailstead.toml", () => quoted(config))
    .replaceAll("/etc/mailstead/mailstead.env", () => environment.replaceAll("%", "%%"))
    .replace("WorkingDirectory=/var/lib/mailstead", () => `WorkingDirectory=${data.replaceAll("%", "%%")}`)
    .replaceAll("--data /var/lib/mailstead", () => `--data ${quoted(data)}`)
    .replace("WantedBy=multi-user.target", "WantedBy=default.target")
  return `# Made by \`mailstead service install\`; change it with \`systemctl --user edit mailstead\`.\n\n${text}`
}

/** A word of a command line in a unit, where systemd expands `%` and `$`. */
const quoted = (path: string): string => {
  const text = path
    .replaceAll("%", "%%")
    .replaceAll("$", () => "$$")
    .replaceAll("\\", "\\\\")
  return /\s|"/.test(text) ? `"${text.replaceAll('"', '\\"')}"` : text
}

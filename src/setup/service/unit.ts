/** The service files by which systemd or launchd run the daemon of one repository. */

export interface Service {
  /** Unique on this machine, of letters, digits and dashes. */
  readonly name: string
  readonly command: readonly string[]
  readonly cwd: string
  /** PATH, so that the agent's command finds the programs it calls. */
  readonly path: string
  /** The path of the log, for a service manager that keeps none. */
  readonly log: string
  /** Folders that were made for the file, innermost first; they are removed with it. */
  readonly made: readonly string[]
}

const MARK = 'Written by `cacpd service install`; `cacpd service remove` takes it away.'
const MADE = /Folders made for it: (\[.*\])/

/** Whether cacpd wrote the file and so may replace and remove it. */
export const isOurs = (text: string): boolean => text.includes(MARK)

export function madeFor(text: string): string[] {
  const [, list = '[]'] = MADE.exec(text) ?? []
  try {
    const made: unknown = JSON.parse(list)
    return Array.isArray(made) ? made.map(String) : []
  } catch {
    return []
  }
}

/** The second of two dashes is escaped, because two in a row would end a comment in XML. */
const listed = (made: readonly string[]): string => JSON.stringify(made).replaceAll('--', '-\\u002d')

export const systemdUnit = ({ name, command, cwd, path, made }: Service): string => `# ${MARK}
# Folders made for it: ${listed(made)}
[Unit]
Description=Coordination daemon of ${percents(cwd)} (${name})
StartLimitIntervalSec=300
StartLimitBurst=10

[Service]
ExecStart=${command.map((word) => quoted(word).replaceAll('$', '$$$$')).join(' ')}
WorkingDirectory=${percents(cwd)}
Environment=${quoted(`PATH=${path}`)}
Restart=on-failure
RestartSec=2

[Install]
WantedBy=default.target
`

const percents = (text: string): string => text.replaceAll('%', '%%')

const quoted = (word: string): string => `"${percents(word).replaceAll(/["\\]/g, '\\$&')}"`

export const launchdPlist = ({
  name,
  command,
  cwd,
  path,
  log,
  made,
}: Service): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${MARK} -->
<!-- Folders made for it: ${listed(made)} -->
<plist version="1.0">
<dict>
  <key>Label</key><string>${xml(name)}</string>
  <key>ProgramArguments</key>
  <array>
${command.map((word) => `    <string>${xml(word)}</string>`).join('\n')}
  </array>
  <key>WorkingDirectory</key><string>${xml(cwd)}</string>
  <key>EnvironmentVariables</key><dict><key>PATH</key><string>${xml(path)}</string></dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>StandardErrorPath</key><string>${xml(log)}</string>
</dict>
</plist>
`

const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

// Writes docs/settings.md and docs/commands.md from the tables in src. With --check it compares instead.
import type { Command } from '../src/cli/Command.ts'
import { commands } from '../src/cli/commands.ts'
import { exitCodes } from '../src/cli/errors.ts'
import { formatDefault, formatFlag, formatUsage, wrapText } from '../src/cli/formatHelp.ts'
import type { Setting } from '../src/config/Setting.ts'
import { settings } from '../src/config/settings.ts'
import { writeGenerated } from './writeGenerated.ts'

const cell = (text: string): string => text.replaceAll('|', '\\|')
const code = (text: string | undefined): string => (text === undefined ? '' : `\`${cell(text)}\``)
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

const commandSection = (command: Command): string =>
  [
    `## ${command.name}`,
    ...(command.parameters.length === 0
      ? []
      : [command.parameters.map(({ name, about }) => `- ${code(name)}: ${about}`).join('\n')]),
    ...(command.notes ?? []).map((note) => wrapText(note, 120)),
    ...(command.examples === undefined
      ? []
      : [
          table(
            ['example', 'what it is for'],
            command.examples.map(([line, about]) => [code(line), cell(about)]),
          ),
        ]),
  ].join('\n\n')

const settingRow = ([name, setting]: [string, Setting]): string[] => [
  code(formatFlag(setting)),
  code(setting.env),
  setting.inFile === false ? '' : code(name),
  code(formatDefault(setting)),
  cell(setting.about),
]

writeGenerated(
  'docs/settings.md',
  `# Settings

Written by \`scripts/genDocs.ts\` from \`src/config/settings.ts\`; do not edit.

A setting is taken from its flag, else from the environment, else from the configuration file, else its default. An empty
environment variable counts as absent. A flag that takes no value is a switch; \`--no-…\` turns it off. Unknown flags and
unknown keys in the file are refused. The file is JSON, one key for each setting:

\`\`\`json
{ "dataDir": "/var/lib/chaincenter", "logLevel": "warn" }
\`\`\`

${table(['flag', 'environment', 'key in the file', 'default', 'what it does'], Object.entries<Setting>(settings).map(settingRow))}
`,
)

writeGenerated(
  'docs/commands.md',
  `# Commands and exit codes

Written by \`scripts/genDocs.ts\` from \`src/cli\`; do not edit.

${table(
  ['command', 'what it does'],
  commands.map((command) => [code(`chaincenter ${formatUsage(command)}`), cell(command.summary)]),
)}

Results go to standard output, log lines and failures to standard error. With \`--json\` a result, or a failure, is one line
of JSON on standard output. A failure is a sentence about what went wrong and one about what to do; \`--verbose\` adds the
stack.

${table(
  ['exit code', 'meaning'],
  Object.values(exitCodes).map(({ code, about }) => [String(code), cell(about)]),
)}

${commands.map(commandSection).join('\n\n')}
`,
)

import type { Command } from '../Command.ts'
import { unknownCommand } from '../errors.ts'
import { formatCommandHelp, formatHelp } from '../formatHelp.ts'

export const help: Command = {
  name: 'help',
  summary: 'Shows every command and setting, or one command.',
  parameters: [{ name: 'command', about: 'The command to explain.', optional: true }],
  examples: [
    ['chaincenter help', 'everything'],
    ['chaincenter help dev', 'one command; chaincenter dev --help is the same'],
  ],
  run({ commands, show }, [wanted]) {
    const names = commands.map(({ name, summary }) => ({ name, summary }))
    if (wanted === undefined) {
      show({ text: formatHelp(commands), value: { commands: names } })
      return
    }
    const command = commands.find(({ name }) => name === wanted)
    if (command === undefined) throw unknownCommand(wanted, commands)
    const { name, summary, parameters } = command
    show({ text: formatCommandHelp(command), value: { name, summary, parameters } })
  },
}

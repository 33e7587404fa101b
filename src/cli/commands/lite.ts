import type { Command } from '../Command.ts'
import { argumentForms } from '../lite/argumentForms.ts'

export const lite: Command = {
  name: 'lite',
  summary: 'Asks one liteserver one question and prints the answer. Without words it lists the functions.',
  parameters: [
    { name: 'function', about: 'Its name, with "liteServer." before it or without.', optional: true },
    { name: 'argument', about: 'Its arguments, as name=value or as one JSON object.', optional: true, repeats: true },
  ],
  notes: argumentForms,
  examples: [
    [
      'chaincenter lite getMasterchainInfo --global-config .chaincenter/global.config.json',
      'the newest block of the embedded network',
    ],
    ['chaincenter lite getAccountState id=last account=EQ… --network main', 'an account as of the newest block'],
    ['chaincenter lite', 'lists the functions'],
  ],
  run: async (context, words) => (await import('../lite/runLite.ts')).runLite(context, words),
}

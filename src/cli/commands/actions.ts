import type { Command } from '../Command.ts'

export const actions: Command = {
  name: 'actions',
  summary: 'Checks what the program makes of recorded traces: the actions that it finds in them.',
  parameters: [{ name: 'action', about: 'conformance.' }],
  notes: [
    'conformance reads cases.json and the folder traces below the folder that --dir names, classifies each trace and compares what comes out with what is expected. It prints a line for each case that differs and a last one with the counts; the exit code is 1 where some do.',
  ],
  examples: [
    ['chaincenter actions conformance --dir recorded', 'checks all recorded traces below the folder recorded'],
  ],
  run: async (context, words) => (await import('../actions/runActions.ts')).runActions(context, words),
}

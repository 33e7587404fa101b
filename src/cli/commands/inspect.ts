import type { Command } from '../Command.ts'

export const inspect: Command = {
  name: 'inspect',
  summary: 'Tells what an address, a hash, a block id, a bag of cells or a file with one of them is. Nobody is asked.',
  parameters: [{ name: 'what', about: 'The thing itself, or the path of a file.' }],
  notes: [
    'An address is shown in all its forms. A bag of cells, as bytes or as hex or base64, is shown with its size and its cells; where it is a block, a state, a transaction, a message, an account, the state of a contract, its code or a proof, it says what is in it; code is shown as instructions, its methods by name. Bodies are decoded by the layouts that the program knows, and those of --layouts.',
  ],
  examples: [
    ['chaincenter inspect EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N', 'an address in all its forms'],
    ['chaincenter inspect te6cckEBAQEAAgAAAEysuc0=', 'a bag of cells'],
    ['chaincenter inspect block.boc', 'a file: a block, a message, an account'],
    ['chaincenter inspect block.boc --json', 'the same, for programs'],
  ],
  run: async (context, words) => (await import('../inspect/runInspect.ts')).runInspect(context, words),
}

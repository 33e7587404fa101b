import type { Command } from '../Command.ts'

export const call: Command = {
  name: 'call',
  summary: 'Calls one method of a running service and prints the result. Without words it lists the methods.',
  parameters: [
    { name: 'method', about: 'Its name, such as getMasterchainInfo or jetton/wallets.', optional: true },
    { name: 'argument', about: 'Its arguments, as name=value or as one JSON object.', optional: true, repeats: true },
  ],
  notes: [
    'The service is the one at --url, or at --port of this machine. A name is looked for in v2, then in v3, then among the controls (dev); --api names one of them. Arguments are checked before anything is sent. What is a list may be given several times; a value that begins with [ or { is JSON.',
    'The result is JSON, without what v2 puts around it. Whole numbers of more than 53 bits are printed as text.',
  ],
  examples: [
    ['chaincenter call getMasterchainInfo', 'the newest block of the service on this machine'],
    ['chaincenter call transactions account=EQ… limit=5', 'the newest five transactions of an account'],
    ['chaincenter call runGetMethod address=EQ… method=seqno', 'runs a get-method'],
    ['chaincenter call faucet address=EQ… amount=5000000000', 'gives five coins, on an embedded network'],
    [
      'chaincenter call --url https://api.example.org --api-key KEY --api v3 estimateFee …',
      'another service, and a key',
    ],
  ],
  run: async (context, words) => (await import('../call/runCall.ts')).runCall(context, words),
}

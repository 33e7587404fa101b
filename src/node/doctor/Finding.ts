import { type BlockIdExt, formatBlockId } from '../../primitives/BlockId.ts'
import type { ConnectionOutcome } from './probeConnection.ts'

export type FindingCode =
  | Exclude<ConnectionOutcome, 'ready' | 'closed' | 'silent' | 'garbled' | 'bad_key'>
  | 'wrong_key'
  | 'not_a_liteserver'
  | 'no_answer'
  | 'bad_answer'
  | 'overloaded'
  | 'wrong_network'
  | 'out_of_sync'
  | 'clock_differs'
  | 'too_old'
  | 'behind_anchor'
  | 'init_pruned'
  | 'proof_failed'
  | 'proof_unfinished'
  | 'not_archival'
  | 'unfinished'

/** What is the matter with a server, in a sentence, and what to do about it. A `limit` is no fault, but good to know. */
export type Finding = {
  readonly code: FindingCode
  readonly level: 'wrong' | 'limit'
  readonly message: string
  readonly advice: string
}

const wrong = (code: FindingCode, message: string, advice: string): Finding => ({
  code,
  level: 'wrong',
  message,
  advice,
})

const limit = (code: FindingCode, message: string, advice: string): Finding => ({
  code,
  level: 'limit',
  message,
  advice,
})

const CHECK_KEY = 'Check the key behind the port: it is the one of its entry in the global configuration, in base64.'

/** Everything the doctor may have to say, in one place. */
export const findings = {
  unknown_host: () =>
    wrong(
      'unknown_host',
      'Its name cannot be resolved.',
      'Check the spelling of the host, and the DNS of this machine.',
    ),
  refused: () =>
    wrong(
      'refused',
      'The connection was refused: nothing listens on that port.',
      'Check the port, and that the node runs with its liteserver turned on.',
    ),
  unreachable: () =>
    wrong(
      'unreachable',
      'No connection could be made in time.',
      'Check the address, that the machine is up, and that no firewall between drops TCP connections to the port.',
    ),
  wrongKey: (what: string) => wrong('wrong_key', what, CHECK_KEY),
  notALiteserver: () =>
    wrong(
      'not_a_liteserver',
      'It answers the handshake with something else: what listens there is not a liteserver.',
      "Check the port: a node's liteserver has one of its own, apart from the console's and from ADNL over UDP.",
    ),
  noAnswer: (what: string) =>
    wrong(
      'no_answer',
      what,
      'A node that is still catching up answers nothing: look into its log, and try again later.',
    ),
  badAnswer: (reason: string) =>
    wrong('bad_answer', `Its answer makes no sense: ${reason}`, 'Use another server, and tell whoever runs this one.'),
  overloaded: (reason: string) =>
    wrong(
      'overloaded',
      `It refuses to answer for now: ${reason}`,
      'Try again later, or use a server that is not shared with so many others.',
    ),
  wrongNetwork: () =>
    wrong(
      'wrong_network',
      'It serves another network: its zerostate is not that of the global configuration.',
      'Use the global configuration of its network, or a server of the configured one.',
    ),
  outOfSync: (seconds: number) =>
    wrong(
      'out_of_sync',
      `It is out of sync by ${seconds} s: its newest masterchain block is that old.`,
      'Wait until the node has caught up; if it does not, look at its disk, its network and its log.',
    ),
  clockDiffers: (seconds: number) =>
    wrong(
      'clock_differs',
      `Its clock is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the clock of this machine.`,
      'Set the clocks of both machines by NTP; where all servers say the same, it is this one that is wrong.',
    ),
  tooOld: (what: string) => wrong('too_old', what, 'Update the node.'),
  behindAnchor: (seqno: number, anchor: BlockIdExt) =>
    wrong(
      'behind_anchor',
      `Its newest block, ${seqno}, is older than the block where trust begins, ${anchor.seqno}.`,
      'Wait until the node has caught up.',
    ),
  initPruned: (anchor: BlockIdExt, reason: string) =>
    wrong(
      'init_pruned',
      `It proves nothing from the init block ${formatBlockId(anchor)}, which it has dropped or never had: ${reason}`,
      'Take a global configuration with a newer init block, or a server that keeps older key blocks.',
    ),
  proofFailed: (reason: string) =>
    wrong(
      'proof_failed',
      `Its proof is false: ${reason}`,
      'Do not use this server. Where all servers fail, the init block of the global configuration is not of this network.',
    ),
  proofUnfinished: (seqno: number) =>
    limit(
      'proof_unfinished',
      `Its chain is proven up to block ${seqno}; there was no time for the rest.`,
      'Nothing is wrong so far. A newer init block, or the data folder of a service that has run, shortens it.',
    ),
  notArchival: () =>
    limit(
      'not_archival',
      'It is not archival: the beginning of the chain is not there.',
      'Nothing is to be done, unless old blocks or transactions are wanted: then add an archival server.',
    ),
  unfinished: () =>
    wrong(
      'unfinished',
      'The checks did not come to an end in time.',
      'Try again; where it stays so, the server is too slow.',
    ),
} as const

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

/** A diagnosis of a liteserver with advice. A `limit` is not a fault. */
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

const CHECK_KEY = 'Check the key after the port: it is the base64 key of the liteserver in the global configuration.'

/** All findings of the doctor. */
export const findings = {
  unknown_host: () =>
    wrong(
      'unknown_host',
      'The host name cannot be resolved.',
      'Check the host name and the DNS settings of this machine.',
    ),
  refused: () =>
    wrong(
      'refused',
      'Connection refused: nothing listens on that port.',
      'Check the port, and that the node is running with its liteserver enabled.',
    ),
  unreachable: () =>
    wrong(
      'unreachable',
      'Connection timed out.',
      'Check the address, that the machine is up, and that no firewall blocks TCP connections to the port.',
    ),
  wrongKey: (what: string) => wrong('wrong_key', what, CHECK_KEY),
  notALiteserver: () =>
    wrong(
      'not_a_liteserver',
      'The handshake was answered with other data: this is not a liteserver.',
      'Check the port: the liteserver port of a node differs from its console port and from its ADNL (UDP) port.',
    ),
  noAnswer: (what: string) =>
    wrong('no_answer', what, 'A node that is still syncing does not answer: check its log and retry later.'),
  badAnswer: (reason: string) =>
    wrong('bad_answer', `Invalid answer: ${reason}`, 'Use another liteserver, and tell the operator of this one.'),
  overloaded: (reason: string) =>
    wrong('overloaded', `It refuses requests for now: ${reason}`, 'Retry later, or use a less busy liteserver.'),
  wrongNetwork: () =>
    wrong(
      'wrong_network',
      'It serves another network: its zerostate differs from the global configuration.',
      'Use the global configuration of its network, or a liteserver of the configured network.',
    ),
  outOfSync: (seconds: number) =>
    wrong(
      'out_of_sync',
      `It is out of sync by ${seconds} s: its newest masterchain block is that old.`,
      'Wait until the node is in sync; if it does not catch up, check its disk, network and log.',
    ),
  clockDiffers: (seconds: number) =>
    wrong(
      'clock_differs',
      `Its clock is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the clock of this machine.`,
      'Synchronize both clocks with NTP; if all servers report it, the clock of this machine is wrong.',
    ),
  tooOld: (what: string) => wrong('too_old', what, 'Update the node.'),
  behindAnchor: (seqno: number, anchor: BlockIdExt) =>
    wrong(
      'behind_anchor',
      `Its newest block ${seqno} is older than the init block ${anchor.seqno}.`,
      'Wait until the node is in sync.',
    ),
  initPruned: (anchor: BlockIdExt, reason: string) =>
    wrong(
      'init_pruned',
      `It has no proof from the init block ${formatBlockId(anchor)}: ${reason}`,
      'Use a global configuration with a newer init block, or a liteserver that has older key blocks.',
    ),
  proofFailed: (reason: string) =>
    wrong(
      'proof_failed',
      `Invalid proof: ${reason}`,
      'Do not use this liteserver. If all fail, the init block of the global configuration belongs to another network.',
    ),
  proofUnfinished: (seqno: number) =>
    limit(
      'proof_unfinished',
      `Its chain is proven up to block ${seqno}; then the time limit was reached.`,
      'No fault so far. A newer init block, or the data folder of an existing service, shortens the proof.',
    ),
  notArchival: () =>
    limit(
      'not_archival',
      'It is not archival: it lacks the start of the chain.',
      'No action needed, unless you need old blocks or transactions: then add an archival liteserver.',
    ),
  unfinished: () => wrong('unfinished', 'The checks timed out.', 'Retry; if it persists, the liteserver is too slow.'),
} as const

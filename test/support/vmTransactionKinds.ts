import type { Cell } from '../../src/codec/cell/Cell.ts'
import { openCell, openRaw } from '../../src/codec/cell/CellReader.ts'
import { CellError } from '../../src/codec/cell/errors.ts'
import { readWhole } from '../../src/codec/cell/wholeCell.ts'
import { type Account, openAccount } from '../../src/codec/tlb/Account.ts'
import { type ExtraCurrencies, NO_EXTRA_CURRENCIES } from '../../src/codec/tlb/CurrencyCollection.ts'
import { readMessage } from '../../src/codec/tlb/Message.ts'
import { readOutAction } from '../../src/codec/tlb/OutList.ts'
import { readShardAccount } from '../../src/codec/tlb/ShardAccounts.ts'
import { isLibraryDict } from '../../src/tvm/executor/dictionaries.ts'
import { type RelaxedMessage, readRelaxedMessage } from '../../src/tvm/executor/relaxedMessage.ts'
import { versionOf } from './vmContext.ts'
import { SPECIAL_ADDRESS } from './vmKnownErrors.ts'
import { type VmRequest, VmRequests } from './vmRequests.ts'
import { decode, fieldsOf, nodesOf, type ReducedTransaction } from './vmTransactionReducer.ts'

/** A message that a contract asked to send, `message` only where it is one. */
type Sent = { readonly mode: number; readonly cell: Cell; readonly message: RelaxedMessage | undefined }

type Case = {
  readonly version: number
  readonly fields: readonly string[]
  readonly ours: ReadonlyMap<string, string>
  readonly theirs: ReadonlyMap<string, string>
  /** In the order in which they are carried out; `undefined` for actions of other kinds. */
  readonly sent: readonly (Sent | undefined)[]
  readonly nodes: readonly Cell[]
  readonly before: Account
  readonly isSpecial: boolean
  /** What the inbound message brings: extra currencies, and the length in its StateInit. */
  readonly inbound: ExtraCurrencies
  readonly prefixLength: number
}

const IGNORE_ERRORS = 2
const BOUNCE_ON_FAIL = 16
const ADD_INBOUND_VALUE = 64
const RESERVE = 0x36e6b809

const numberOf = (fields: ReadonlyMap<string, string>, name: string): number => Number(fields.get(name) ?? 0)

const has = ({ fields }: Case, ...names: readonly string[]): boolean =>
  fields.length === names.length && names.every((name) => fields.includes(name))

/** What comes before the action phase is the same. */
const differsInActions = ({ fields }: Case): boolean =>
  !fields.some((name) => /^(storage|credit|compute)Phase/.test(name))

const failedOf = ({ ours, sent }: Case): Sent | undefined => sent[numberOf(ours, 'action.resultArg')]

const hasBadLibraries = ({ message }: Sent): boolean => !isLibraryDict(message?.init?.value.library, 1000)

/** What the emulator cannot judge, since it is of rules that it does not have or breaks it: decided by the source of the reference. */
const KINDS: readonly { readonly reason: string; readonly applies: (found: Case) => boolean }[] = [
  {
    // Malformed messages are skipped, and counted, before the first action is carried out.
    reason: 'does not count malformed messages that are skipped behind the action that fails',
    applies: (found) => {
      const { ours, theirs, sent } = found
      const at = numberOf(ours, 'action.resultArg')
      const behind = sent.filter((each, k) => k > at && each !== undefined && each.message === undefined).length
      const uncounted = numberOf(ours, 'action.skippedActions') - numberOf(theirs, 'action.skippedActions')
      return has(found, 'skippedActions') && ours.get('action.success') === 'false' && uncounted === behind
    },
  },
  {
    // From version 13 on, and before the mode of an external message and the amount are looked at.
    reason: 'fails at a message with invalid libraries that is to be skipped, from version 13 on',
    applies: ({ version, ours, theirs, sent }) => {
      const failed = sent[numberOf(theirs, 'action.resultArg')]
      if (version < 13 || failed?.message === undefined || theirs.get('action.resultCode') !== '34') return false
      const isSkipped = numberOf(ours, 'action.skippedActions') > numberOf(theirs, 'action.skippedActions')
      return isSkipped && (failed.mode & IGNORE_ERRORS) !== 0 && hasBadLibraries(failed)
    },
  },
  {
    reason: 'skips an external message with a mode that it may not have',
    applies: (found) => {
      const failed = failedOf(found)
      if (failed?.message?.isExternal !== true || hasBadLibraries(failed)) return false
      const mode = failed.mode & ~BOUNCE_ON_FAIL
      const isForbidden = (mode & ~3) !== 0 && (mode & IGNORE_ERRORS) !== 0
      const skipsMore = numberOf(found.theirs, 'action.skippedActions') > numberOf(found.ours, 'action.skippedActions')
      return isForbidden && skipsMore && found.ours.get('action.resultCode') === '34'
    },
  },
  {
    // It tells that the list could be read.
    reason: 'takes the mark `valid` from a well-formed list where an action fails with 34',
    applies: (found) =>
      has(found, 'valid') &&
      found.ours.get('action.valid') === 'true' &&
      found.ours.get('action.resultCode') === '34' &&
      found.ours.get('action.success') === 'false',
  },
  {
    reason: 'looks at the source of an external message before its mode',
    applies: (found) => {
      const failed = failedOf(found)
      const isForbidden = failed !== undefined && (failed.mode & ~BOUNCE_ON_FAIL & ~3) !== 0
      return has(found, 'resultCode 34, not 35') && failed?.message?.isExternal === true && isForbidden
    },
  },
  {
    reason: 'looks at the addresses of a message before its extra flags, from version 12 on',
    applies: (found) => {
      const isOther = has(found, 'resultCode 45, not 35') || has(found, 'resultCode 45, not 36')
      return isOther && (failedOf(found)?.message?.extraFlags.value ?? 0n) > 3n
    },
  },
  {
    reason: 'does not look at the libraries of an external message',
    applies: (found) => {
      const isBad = (each: Sent | undefined): boolean => each?.message?.isExternal === true && hasBadLibraries(each)
      const creates = numberOf(found.theirs, 'action.msgsCreated') > numberOf(found.ours, 'action.msgsCreated')
      return found.sent.some(isBad) && creates && differsInActions(found)
    },
  },
  {
    reason: 'reserves an amount that is not written as short as it can be',
    applies: ({ ours, nodes }) => {
      const failed = nodes[numberOf(ours, 'action.resultArg')]
      if (failed === undefined || failed.bits < 52 || ours.get('action.resultCode') !== '34') return false
      const r = openRaw(failed)
      if (r.readUint(32) !== RESERVE) return false
      r.skipBits(8)
      return r.readUint(4) > 0 && r.readUint(8) === 0
    },
  },
  {
    // They are its fines alone.
    reason: 'counts forwarding fees among the fees of an action phase that failed',
    applies: (found) => has(found, 'totalActionFees') && found.ours.get('action.success') === 'false',
  },
  {
    // All actions are looked at before the first is carried out.
    reason: 'carries out actions of a list in which a message is malformed',
    applies: (found) => {
      const { ours } = found
      const failed = failedOf(found)
      const isMalformed = failed !== undefined && failed.message === undefined && (failed.mode & IGNORE_ERRORS) === 0
      const isFound = ours.get('action.resultCode') === '34' && ours.get('action.valid') === 'false'
      return isFound && isMalformed && differsInActions(found)
    },
  },
  {
    // Such a message is skipped before the first action is carried out.
    reason: 'carries out a malformed message that is to be skipped, or fails at it',
    applies: (found) => {
      const { ours, sent } = found
      const isSkipped = (each: Sent | undefined): boolean =>
        each !== undefined && each.message === undefined && (each.mode & IGNORE_ERRORS) !== 0
      return ours.get('action.valid') === 'true' && sent.some(isSkipped) && differsInActions(found)
    },
  },
  {
    // No cell is more than none.
    reason: 'takes a message without cells for too large where no cell can be paid for',
    applies: (found) => {
      const failed = failedOf(found)
      if (failed?.message === undefined || found.version < 10) return false
      const refs = failed.cell.refCount - (failed.message.extra.isEmpty ? 0 : 1)
      return has(found, 'noFunds', 'resultCode 37, not 40') && refs === 0
    },
  },
  {
    // Below version 10 mode 64 adds all of the inbound value; the emulator breaks where there is less.
    reason: 'sends a message with mode 64 without the extra currencies of the inbound message, below version 10',
    applies: ({ version, sent, before, inbound }) => {
      const own = before.kind === 'account' ? before.balance.extra : NO_EXTRA_CURRENCIES
      if (version >= 10) return false
      return sent.some((each) => {
        if (each?.message === undefined || (each.mode & ADD_INBOUND_VALUE) === 0) return false
        const asked = each.message.extra.entries()
        const isShort = asked.some(([id, amount]) => amount > (own.find(id) ?? 0n))
        return isShort && asked.every(([id, amount]) => amount <= (own.find(id) ?? 0n) + (inbound.find(id) ?? 0n))
      })
    },
  },
  {
    reason: 'freezes or deletes a special account that owes',
    applies: ({ ours, theirs, isSpecial }) =>
      isSpecial &&
      ours.get('storagePhase.statusChange') === 'unchanged' &&
      theirs.get('storagePhase.statusChange') !== 'unchanged',
  },
  {
    // The length is not written where it is zero, so the hash is another one than that of the address.
    reason: 'takes the state of an account for that of its address, though it has a prefix length of zero',
    applies: (found) => {
      const { before, ours, theirs } = found
      const init = before.kind === 'account' && before.state.kind === 'active' ? before.state.init : undefined
      const isOther = ours.get('endStatus') === 'frozen' && theirs.get('endStatus') === 'uninit'
      return has(found, 'endStatus') && isOther && init?.fixedPrefixLength === 0
    },
  },
  {
    // An account that exists keeps the length of its address, which is zero.
    reason: 'thaws an account with a state that has a prefix length',
    applies: ({ before, ours, theirs, prefixLength }) =>
      before.kind === 'account' &&
      before.state.kind === 'frozen' &&
      prefixLength > 0 &&
      ours.get('computePhase.reason') === 'bad_state' &&
      theirs.get('computePhase.kind') === 'vm',
  },
  {
    // The reference makes no transaction of it: neither code is right.
    reason: 'another code before a message whose header does not fit into a cell',
    applies: ({ version, sent }) =>
      version < 11 && sent.some((each) => each?.message !== undefined && isOverlong(each.message)),
  },
]

/** Without its fees a header has these bits beside the destination and the value: source, both fees of three bytes, lt and time. */
const HEADER_BITS = 4 + 267 + 44 + 1 + 28 + 28 + 96

const isOverlong = ({ isExternal, ihrDisabled, destination, value }: RelaxedMessage): boolean =>
  !isExternal &&
  !ihrDisabled &&
  destination.kind === 'var' &&
  HEADER_BITS + destination.bits + 4 + 8 * Math.ceil(value.value.toString(2).length / 8) > 1023

/** Why the other implementation is wrong, by the source of the reference; `undefined` where that is not known. */
export const findSourceKind = (reduced: ReducedTransaction): string | undefined => {
  const { request, theirs, fields } = reduced
  const result = new VmRequests().execute(request)
  const text = theirs['transaction']
  const list = result.run?.committed?.actions
  const nodes = (list === undefined ? undefined : nodesOf(list)) ?? []
  if (result.kind !== 'executed' || typeof text !== 'string') return undefined
  const found: Case = {
    ...surroundingsOf(request),
    version: versionOf(request.config!),
    fields,
    ours: fieldsOf(result.transaction),
    theirs: fieldsOf(decode(text)),
    sent: nodes.toReversed().map(readSent),
    nodes: nodes.toReversed(),
  }
  const kind = KINDS.find(({ applies }) => applies(found))?.reason
  if (kind !== undefined || !isEndedThere(found)) return kind
  const rest = fields.filter((name) => name !== 'destroyed' && name !== 'endStatus')
  if (rest.length === 0) return ENDED
  const beside = KINDS.find(({ applies }) => applies({ ...found, fields: rest }))?.reason
  return beside && `${beside}; ${ENDED}`
}

const ENDED = 'ends an account that asked for its end in an action phase that failed'

const isEndedThere = ({ ours, theirs }: Case): boolean =>
  ours.get('action.success') === 'false' && ours.get('destroyed') === 'false' && theirs.get('destroyed') === 'true'

const surroundingsOf = (request: VmRequest): Pick<Case, 'before' | 'isSpecial' | 'inbound' | 'prefixLength'> => {
  const { account, address, message } = request
  const read = message === undefined ? undefined : readMessage(openCell(decode(message)))
  return {
    before: openAccount(readWhole(decode(account!), readShardAccount, 'A ShardAccount').account),
    isSpecial: address === SPECIAL_ADDRESS,
    inbound: read?.info.kind === 'internal' ? read.info.value.extra : NO_EXTRA_CURRENCIES,
    prefixLength: read?.init?.value.fixedPrefixLength ?? 0,
  }
}

const SEND_MESSAGE = 0x0ec3c86d

const readSent = (node: Cell): Sent | undefined => {
  if (node.bits < 40 || openRaw(node).readUint(32) !== SEND_MESSAGE) return undefined
  const r = openRaw(node)
  r.skipBits(32)
  const mode = r.readUint(8)
  try {
    const whole = openRaw(node)
    whole.skipRef()
    const action = readOutAction(whole)
    whole.expectEnd('An action')
    if (action.kind !== 'sendMessage') return undefined
    return { mode, cell: action.message, message: readRelaxedMessage(action.message) }
  } catch (error) {
    if (error instanceof CellError) return { mode, cell: node, message: undefined }
    throw error
  }
}

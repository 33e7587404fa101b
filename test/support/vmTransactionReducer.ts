import { Cell } from '../../src/codec/cell/Cell.ts'
import { openCell } from '../../src/codec/cell/CellReader.ts'
import { emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { readWhole, writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { type ExistingAccount, openAccount, writeAccount } from '../../src/codec/tlb/Account.ts'
import { NO_EXTRA_CURRENCIES } from '../../src/codec/tlb/CurrencyCollection.ts'
import { readMessage, writeMessage } from '../../src/codec/tlb/Message.ts'
import { readShardAccount, writeShardAccount } from '../../src/codec/tlb/ShardAccounts.ts'
import { readTransaction } from '../../src/codec/tlb/Transaction.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { Builder, Slice } from '../../src/tvm/machine/values.ts'
import { versionOf } from './vmContext.ts'
import { olderConfig } from './vmKnownErrors.ts'
import type { VmOracle } from './vmOracles.ts'
import { compareReply, type VmReply, type VmRequest, VmRequests } from './vmRequests.ts'

/** The newest version whose rules for transactions the emulator has in full. */
export const EMULATED_TRANSACTIONS = 12
/** Longer lists of actions are left as they are. */
const MOST_ACTIONS = 8

export const decode = (text: string): Cell => decodeSingleBoc(Buffer.from(text, 'base64'))
const encode = (cell: Cell): string => Buffer.from(encodeBoc([cell])).toString('base64')

/** A transaction on which two implementations differ, as small as it got. */
export type ReducedTransaction = {
  readonly request: VmRequest
  readonly ours: VmReply
  readonly theirs: VmReply
  /** What differs, by name. */
  readonly fields: readonly string[]
}

/** Leaves out actions and extra currencies, and goes back to rules that the judge knows, while the same fields differ. */
export class TransactionReducer {
  private readonly oracle: VmOracle
  private readonly machine = new VmRequests()

  constructor(oracle: VmOracle) {
    this.oracle = oracle
  }

  async reduce(request: VmRequest): Promise<ReducedTransaction | undefined> {
    let best = await this.differ(request)
    for (let found = best; found !== undefined; ) {
      found = undefined
      for (const smaller of smallerForms(best!.request, this.machine)) {
        const tried = await this.differ(smaller)
        if (tried === undefined || tried.fields.join() !== best!.fields.join()) continue
        best = found = tried
        break
      }
    }
    return best
  }

  async differ(request: VmRequest): Promise<ReducedTransaction | undefined> {
    const ours = replyOf(this.machine, request)
    const [theirs] = await this.oracle.answer([request])
    if (ours === undefined || theirs === undefined || compareReply(ours, theirs).length === 0) return undefined
    return { request, ours, theirs, fields: differingFields(this.machine, request, theirs) }
  }
}

const replyOf = (machine: VmRequests, request: VmRequest): VmReply | undefined => {
  try {
    return machine.run(request)
  } catch {
    return undefined
  }
}

/** Fields of a transaction by name. */
export const fieldsOf = (transaction: Cell): Map<string, string> => {
  const fields = new Map<string, string>()
  const { description, endStatus, outMsgCount, totalFees } = readTransaction(openCell(transaction))
  const add = (path: string, value: unknown): void => {
    if (value === undefined || value instanceof Dict) return
    if (value instanceof Uint8Array) fields.set(path, toHex(value))
    else if (value instanceof Cell) fields.set(path, toHex(value.hash()))
    else if (value !== null && typeof value === 'object') {
      for (const [name, inner] of Object.entries(value)) add(path === '' ? name : `${path}.${name}`, inner)
    } else fields.set(path, String(value))
  }
  add('', { ...description, endStatus, outMsgCount, totalFees: totalFees.grams })
  return fields
}

/** Names of fields that differ; result codes with their values. Which action failed does not matter. */
const differingFields = (machine: VmRequests, request: VmRequest, theirs: VmReply): string[] => {
  const result = machine.execute(request)
  const text = theirs['transaction']
  if (result.kind !== 'executed' || typeof text !== 'string') return ['accepted']
  const ours = fieldsOf(result.transaction)
  const others = fieldsOf(decode(text))
  const names = new Set<string>()
  for (const name of new Set([...ours.keys(), ...others.keys()])) {
    const [a, b] = [ours.get(name), others.get(name)]
    if (a === b || name === 'action.resultArg' || name === 'action.specActions') continue
    if (name === 'action.resultCode') names.add(`resultCode ${a}, not ${b}`)
    else if (name.startsWith('bounce')) names.add('bounce')
    else names.add(name.replace('action.', ''))
  }
  return names.size === 0 ? ['messages or account'] : [...names].toSorted()
}

const smallerForms = function* (request: VmRequest, machine: VmRequests): Generator<VmRequest> {
  const result = machine.execute(request)
  const list = result.run?.committed?.actions
  const nodes = list === undefined ? undefined : nodesOf(list)
  if (list !== undefined && nodes !== undefined && nodes.length <= MOST_ACTIONS) {
    for (let k = 0; k < nodes.length; k++) {
      const shorter = withActions(request, list, listOf(nodes.toSpliced(k, 1)))
      if (shorter !== undefined) yield shorter
    }
  }
  yield* withoutExtra(request)
  const { config } = request
  if (config !== undefined && versionOf(config) > EMULATED_TRANSACTIONS) {
    yield { ...request, config: olderConfig(config, EMULATED_TRANSACTIONS) }
  }
}

/** Nodes of a list of actions, newest first, which is the order of the list. */
export const nodesOf = (list: Cell): Cell[] | undefined => {
  const nodes: Cell[] = []
  for (let cell = list; cell.bits > 0 || cell.refCount > 0; cell = cell.ref(0)) {
    if (cell.isExotic || cell.refCount === 0) return undefined
    nodes.push(cell)
  }
  return nodes
}

const listOf = (nodes: readonly Cell[]): Cell =>
  nodes.reduceRight((rest, node) => {
    const whole = Slice.of(node)
    let builder = Builder.empty.withSlice(whole.first(whole.bits)).withRef(rest)
    for (let k = 1; k < whole.refs; k++) builder = builder.withRef(whole.ref(k))
    return builder.toCell()
  }, emptyCell)

const withAccount = (request: VmRequest, change: (account: ExistingAccount) => ExistingAccount): VmRequest => {
  const shard = readWhole(decode(request.account!), readShardAccount, 'A ShardAccount')
  const account = openAccount(shard.account)
  if (account.kind !== 'account') return request
  const changed = { ...shard, account: writeWhole(writeAccount, change(account)) }
  return { ...request, account: encode(writeWhole(writeShardAccount, changed)) }
}

/** The same with another list of actions in the code of the account; `undefined` where it does not stand there. */
const withActions = (request: VmRequest, from: Cell, to: Cell): VmRequest | undefined => {
  let isFound = false
  const changed = withAccount(request, (account) => {
    if (account.state.kind !== 'active' || account.state.init.code === undefined) return account
    const whole = Slice.of(account.state.init.code)
    let code = Builder.empty.withSlice(whole.first(whole.bits))
    for (let k = 0; k < whole.refs; k++) {
      const isList = whole.ref(k).equals(from)
      isFound ||= isList
      code = code.withRef(isList ? to : whole.ref(k))
    }
    return { ...account, state: { kind: 'active', init: { ...account.state.init, code: code.toCell() } } }
  })
  return isFound ? changed : undefined
}

/** The same with an account and a message that have no extra currencies. */
const withoutExtra = function* (request: VmRequest): Generator<VmRequest> {
  const none = withAccount(request, (account) => ({
    ...account,
    balance: { ...account.balance, extra: NO_EXTRA_CURRENCIES },
  }))
  let message = request.message
  if (message !== undefined) {
    const read = readWhole(decode(message), readMessage, 'A message')
    if (read.info.kind === 'internal' && !read.info.value.extra.isEmpty) {
      const value = { ...read.info.value, extra: NO_EXTRA_CURRENCIES }
      message = encode(writeWhole(writeMessage, { ...read, info: { ...read.info, value } }))
    }
  }
  if (none.account !== request.account || message !== request.message) {
    yield { ...none, ...(message === undefined ? {} : { message }) }
  }
}

import type { Cell } from '../../../src/codec/cell/Cell.ts'
import { openCell } from '../../../src/codec/cell/CellReader.ts'
import { openAccount } from '../../../src/codec/tlb/Account.ts'
import type { ConfigDict } from '../../../src/codec/tlb/config/configParams.ts'
import { openInMsg } from '../../../src/codec/tlb/InMsgDescr.ts'
import { readMessage } from '../../../src/codec/tlb/Message.ts'
import { openMsgEnvelope } from '../../../src/codec/tlb/MsgEnvelope.ts'
import { listShards } from '../../../src/codec/tlb/ShardHashes.ts'
import type { ChainStore } from '../../../src/devnet/store/ChainStore.ts'
import { masterchain } from '../../../src/primitives/BlockId.ts'
import { type BlockView, viewBlock } from '../chainRules/BlockView.ts'
import { stepOf } from '../chainRules/checkChain.ts'
import { StateView } from '../chainRules/StateView.ts'
import { decodeConfigParam } from '../decodeConfigParam.ts'
import { compareAllShapes, ShapeCollector, type ShapeDifference, type Shapes } from './describeShape.ts'

/** Collects things by the names of their kinds. */
class KindCollector {
  private readonly collectors = new Map<string, ShapeCollector>()

  add(kind: string, value: unknown): void {
    const known = this.collectors.get(kind) ?? new ShapeCollector()
    this.collectors.set(kind, known)
    known.add(value)
  }

  get shapes(): Shapes {
    return new Map([...this.collectors].map(([kind, { shape }]) => [kind, shape]))
  }
}

const chainOf = (workchain: number): string => (workchain === masterchain ? 'masterchain' : 'basechain')

/** What sets a block apart from the usual ones of its chain. */
export const kindOfBlock = ({ info }: Pick<BlockView, 'info'>): string => {
  const marks = [
    info.seqno === 1 && 'first',
    info.keyBlock && 'key',
    info.afterMerge && 'after a merge',
    info.afterSplit && 'after a split',
    info.beforeSplit && 'before a split',
  ].filter((mark) => mark !== false)
  return `block of the ${chainOf(info.workchain)}${marks.length === 0 ? '' : `, ${marks.join(', ')}`}`
}

const openMessage = (cell: Cell) => readMessage(openCell(cell))

/** Cells of descriptions are opened: envelopes, their messages, and the InMsg that an OutMsg refers to. */
const openDescription = (msg: object): object =>
  Object.fromEntries(
    Object.entries(msg).map(([name, value]) => {
      if (name === 'inMsg' || name === 'outMsg') {
        const envelope = openMsgEnvelope(value)
        return [name, { ...envelope, msg: openMessage(envelope.msg).info }]
      }
      if (name === 'msg') return [name, openMessage(value).info]
      return [name, name === 'reimport' || name === 'imported' ? openInMsg(value).kind : value]
    }),
  )

const addConfig = (into: KindCollector, config: ConfigDict): void => {
  for (const [id, cell] of config.entries()) {
    const param = decodeConfigParam(id, cell)
    into.add('configuration', { [`parameter ${id}`]: param.kind === 'known' ? param.value : 'not read' })
  }
}

const addBlock = (into: KindCollector, block: BlockView): void => {
  const { info, flow, extra, master, previousRefs } = block
  const chain = chainOf(info.workchain)
  const { randSeed, createdBy } = extra
  into.add(kindOfBlock(block), {
    globalId: block.globalId,
    info: { ...info, prevRef: previousRefs },
    flow,
    extra: { randSeed, createdBy, custom: extra.custom },
    master: master && {
      ...master,
      shardHashes: listShards(master.shardHashes),
      recoverCreateMsg: master.recoverCreateMsg && openDescription(openInMsg(master.recoverCreateMsg)),
      mintMsg: master.mintMsg && openDescription(openInMsg(master.mintMsg)),
      config: master.config && { configAddr: master.config.configAddr, config: 'parameters' },
    },
  })
  for (const { msg } of block.inMsgs.values()) into.add(`InMsg ${msg.kind} in the ${chain}`, openDescription(msg))
  for (const { msg } of block.outMsgs.values()) into.add(`OutMsg ${msg.kind} in the ${chain}`, openDescription(msg))
  for (const { transactions, block: accountBlock } of block.accountBlocks.values()) {
    into.add(`account block in the ${chain}`, { ...accountBlock, transactions: accountBlock.transactions.rootExtra })
    for (const { tx, inMessage, outMessages } of transactions) {
      into.add(`transaction ${tx.description.kind} in the ${chain}`, tx)
      for (const message of [inMessage, ...outMessages]) {
        if (message !== undefined) into.add(`message ${message.info.kind}`, openMessage(message.cell))
      }
    }
  }
  if (master?.config !== undefined) addConfig(into, master.config.config)
}

const addState = (into: KindCollector, kind: string, view: StateView): void => {
  const { queue, state, totals, accounts } = view
  const isMaster = state.shard.workchain === masterchain
  into.add(`${kind} of the ${chainOf(state.shard.workchain)}`, {
    ...state,
    totals,
    outMsgQueueInfo: queue,
    accounts: accounts.rootExtra,
    custom: isMaster
      ? { ...view.master.extra, shardHashes: view.master.shards, history: view.master.history, config: 'parameters' }
      : undefined,
  })
}

const addAccounts = (into: KindCollector, { state, accounts }: StateView): void => {
  accounts.forEach((_, entry) => {
    const account = openAccount(entry.account)
    const status = account.kind === 'none' ? 'none' : account.state.kind
    into.add(`account ${status} in the ${chainOf(state.shard.workchain)}`, { ...entry, account })
  })
}

/** Of how many states the accounts are looked at: they have most of them in common. */
const ACCOUNTS_EVERY = 10

/** The shapes of all that a chain is made of. */
const shapesOfChain = (store: ChainStore): Shapes => {
  const into = new KindCollector()
  for (const { id, root } of store.zeroStates) {
    const view = new StateView(root)
    addState(into, 'first state', view)
    addAccounts(into, view)
    if (id.workchain === masterchain) addConfig(into, view.master.extra.config.config)
  }
  const last = store.head?.id.seqno ?? 0
  for (let seqno = 1; seqno <= last; seqno++) {
    const { master, shardBlocks, signatures } = stepOf(store, seqno)
    into.add('signatures', signatures)
    for (const block of [...shardBlocks, master]) {
      addBlock(into, viewBlock(block))
      const view = new StateView(store.findState(block.id)!)
      addState(into, 'state', view)
      if (seqno % ACCOUNTS_EVERY === 0 || seqno === last) addAccounts(into, view)
    }
  }
  return into.shapes
}

/** Where blocks, states and all in them differ in structure, the values left aside. */
export const compareShapes = (recorded: ChainStore, own: ChainStore): ShapeDifference[] =>
  compareAllShapes(shapesOfChain(recorded), shapesOfChain(own))

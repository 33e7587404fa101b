import {
  type Address,
  Cell,
  Dictionary,
  type DictionaryValue,
  loadCurrencyCollection,
  loadTransaction,
  type Message,
  type Transaction,
} from '@ton/core'

/** A transaction as `@ton/core` reads it, so that nothing of ours vouches for itself. */
export type OtherTransaction = {
  readonly hash: string
  readonly account: string
  readonly lt: bigint
  readonly now: number
  readonly inMessage: OtherMessage | undefined
  readonly outMessages: readonly OtherMessage[]
}

export type OtherMessage = {
  readonly hash: string
  readonly kind: 'internal' | 'external-in' | 'external-out'
  readonly source: Address | undefined
  readonly createdLt: bigint | undefined
}

/** All transactions of a block, from its bytes. */
export const readOtherTransactions = (bytes: Uint8Array, workchain: number): OtherTransaction[] => {
  const block = Cell.fromBoc(Buffer.from(bytes))[0]!.beginParse()
  expectTag(block.loadUint(32), 0x11ef55aa)
  block.loadInt(32)
  for (let skipped = 0; skipped < 3; skipped++) block.loadRef()
  const extra = block.loadRef().beginParse()
  expectTag(extra.loadUint(32), 0x4a33f6fd)
  extra.loadRef()
  extra.loadRef()
  const accounts = extra.loadRef().beginParse().loadDict(Dictionary.Keys.Buffer(32), accountBlock)
  return [...accounts].flatMap(([account, transactions]) =>
    transactions.map((cell) => toOther(cell, `${workchain}:${account.toString('hex')}`)),
  )
}

const augmented = <T>(read: DictionaryValue<T>['parse']): DictionaryValue<T> => ({
  serialize: () => {
    throw new Error('only read')
  },
  parse: (slice) => {
    loadCurrencyCollection(slice)
    return read(slice)
  },
})

const transactionCell = augmented((slice) => slice.loadRef())

const accountBlock = augmented((slice) => {
  expectTag(slice.loadUint(4), 5)
  slice.loadBuffer(32)
  return slice.loadDictDirect(Dictionary.Keys.BigUint(64), transactionCell).values()
})

const expectTag = (came: number, expected: number): void => {
  if (came !== expected) throw new Error(`Expected the tag ${expected.toString(16)}, but got ${came.toString(16)}.`)
}

const toOther = (cell: Cell, account: string): OtherTransaction => {
  const transaction: Transaction = loadTransaction(cell.beginParse())
  const whole = cell.beginParse()
  // transaction$0111 account_addr lt prev_hash prev_lt now outmsg_cnt orig end ^[ in_msg:(Maybe ^) out_msgs:(HashmapE 15 ^) ]
  const messages = whole.loadRef().beginParse()
  const inCell = messages.loadMaybeRef()
  const outCells = messages.loadDict(Dictionary.Keys.Uint(15), Dictionary.Values.Cell())
  return {
    hash: cell.hash().toString('hex'),
    account,
    lt: transaction.lt,
    now: transaction.now,
    inMessage: transaction.inMessage ? toMessage(transaction.inMessage, inCell!) : undefined,
    outMessages: [...transaction.outMessages].map(([key, message]) => toMessage(message, outCells.get(key)!)),
  }
}

const toMessage = ({ info }: Message, cell: Cell): OtherMessage => ({
  hash: cell.hash().toString('hex'),
  kind: info.type,
  source: info.type === 'internal' || info.type === 'external-out' ? info.src : undefined,
  createdLt: info.type === 'external-in' ? undefined : info.createdLt,
})

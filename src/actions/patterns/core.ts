import { formatOpcode } from '../rows/Action.ts'
import { type Addresses, Block, type BlockKind, blockKind, expectPresent } from '../tree/Block.ts'

export type CallData = Addresses<'source' | 'destination'> & {
  readonly opcode: number | undefined
  readonly value: bigint | undefined
  readonly extraCurrencies: Readonly<Record<string, string>>
}

/** Any message that is not a plain transfer. */
export const callContract = blockKind<CallData>({
  name: 'call_contract',
  isClosed: true,
  describe: ({ data: { opcode, source, destination, value, extraCurrencies } }) => ({
    source,
    destination,
    movesExtraCurrencies: Object.keys(extraCurrencies).length > 0,
    details: {
      opcode: formatOpcode(opcode),
      source,
      destination,
      value: value?.toString(),
      extra_currencies: extraCurrencies,
    },
  }),
})

/** An account became a contract. */
export const contractDeploy = blockKind<CallData>({
  name: 'contract_deploy',
  isClosed: true,
  describe: ({ data: { opcode, source, destination, value } }) => ({
    source,
    destination,
    details: {
      opcode: formatOpcode(opcode),
      source,
      destination,
      value: value?.toString(),
    },
  }),
})

/** The accounts that became contracts in a block, or in what it was made of. */
export const deployedAccounts = ({ nodes }: Block): ReadonlySet<string> => {
  const deployed = nodes.filter(
    ({ isGhost, transaction: { origStatus, endStatus } }) =>
      !isGhost && origStatus !== 'active' && endStatus === 'active',
  )
  return new Set(deployed.map(({ transaction }) => transaction.account))
}

/** Whether a block is a plain call with one of these opcodes. */
export const isCall = (block: Block, ...opcodes: readonly number[]): boolean =>
  block.is(callContract) && block.data.opcode !== undefined && opcodes.includes(block.data.opcode)

/** The first plain call with one of these opcodes. */
export const findCall = (blocks: readonly Block[], ...opcodes: readonly number[]): Block | undefined =>
  blocks.find((block) => isCall(block, ...opcodes))

/** As {@link findCall}, of one that the match cannot do without. */
export const getCall = (blocks: readonly Block[], opcode: number): Block =>
  expectPresent(findCall(blocks, opcode), `call ${formatOpcode(opcode)}`)

/** The first block of a kind. */
export const findKind = <Data>(blocks: readonly Block[], kind: BlockKind<Data>): Block<Data> | undefined =>
  blocks.find((block): block is Block<Data> => block.is(kind))

/** As {@link findKind}, of one that the match cannot do without. */
export const getKind = <Data>(blocks: readonly Block[], kind: BlockKind<Data>): Block<Data> =>
  expectPresent(findKind(blocks, kind), kind.name)

/** Stands before the first block. */
export const rootBlock = blockKind<undefined>({ name: 'root', describe: () => undefined })

/** Gives branches a common parent, and is nothing by itself. */
const emptyBlock = blockKind<undefined>({ name: 'empty', describe: () => undefined })

/** A transaction that no message caused. */
export const tickTock = blockKind<{ readonly account: string }>({
  name: 'tick_tock',
  isClosed: true,
  describe: ({ data: { account } }) => ({ source: account, details: {} }),
})

export type TonTransferData = {
  readonly source: string
  readonly destination: string
  readonly value: bigint
  readonly extraCurrencies: Readonly<Record<string, string>>
  /** Of an encrypted one its bytes, base64. */
  readonly comment: string | undefined
  readonly encrypted: boolean
}

/** Coins with nothing but a comment. */
export const tonTransfer = blockKind<TonTransferData>({
  name: 'ton_transfer',
  isClosed: true,
  describe: ({ data: { source, destination, value, extraCurrencies, comment, encrypted } }) => ({
    source,
    destination,
    movesExtraCurrencies: Object.keys(extraCurrencies).length > 0,
    details: {
      source,
      destination,
      value: String(value),
      value_extra_currencies: extraCurrencies,
      comment: comment ?? null,
      encrypted,
    },
  }),
})

/** Puts an empty block between one and some of those that follow it, so that these have a parent of their own and can be folded. */
export const insertEmpty = (previous: Block, following: readonly Block[]): Block => {
  const empty = new Block(emptyBlock, undefined, []) as Block
  previous.next = previous.next.filter((next) => !following.includes(next))
  previous.connect(empty)
  for (const next of following) empty.connect(next)
  return empty
}

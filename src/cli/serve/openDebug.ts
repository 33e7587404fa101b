import { type Mount, mount } from '../../api/core/Mount.ts'
import { presentDebug } from '../../api/debug/index.ts'
import { AnswerBudget } from '../../api/v3/AnswerBudget.ts'
import type { VirtualMachine } from '../../chain/ports.ts'
import { type BodyDecoder, createBodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import { Debugger, type DebuggerOptions, type TransactionPosition } from '../../debug/Debugger.ts'
import { createLiveChain } from '../../node/createLiveChain.ts'
import type { ProvenNode } from '../../node/ProvenNode.ts'
import { parseAddressKey } from '../../primitives/Address.ts'
import type { Database } from '../../store/connect/Database.ts'
import { DatabaseUnavailableError } from '../../store/errors.ts'
import { findTransactionsByHash } from '../../store/reader/findTransactions.ts'
import { readTransactions } from '../../store/reader/readTransactions.ts'
import type { TransactionRecord } from '../../store/reader/TransactionRecord.ts'

type DebugDatabase = Pick<Database, 'reader'>

export type DebugOptions = {
  readonly node: ProvenNode
  readonly vm: VirtualMachine
  /** The index, which finds transactions by hash. */
  readonly database?: DebugDatabase | undefined
  readonly decoder?: BodyDecoder | undefined
  /** Finds what the index does not have. */
  readonly findPosition?: DebuggerOptions['findPosition']
  readonly checkResults?: boolean
}

export type OpenedDebug = { readonly mounts: readonly Mount[]; forget(): void }

/** The debugger API over a network, at both of its prefixes. */
export const openDebug = (options: DebugOptions): OpenedDebug => {
  const { node, vm, database, decoder = createBodyDecoder(), checkResults = false } = options
  const tool = new Debugger({ chain: createLiveChain(node), vm, findPosition: positionsOf(options) })
  const findRecord = database && ((hash: Uint8Array) => findRecordIn(database, hash))
  return {
    mounts: [presentDebug('/api/debug/v1'), presentDebug('/ton/api/debug/v1')].map((definition) =>
      mount(definition, (call) => ({ debugger: tool, findRecord, budget: new AnswerBudget(decoder, call), call }), {
        checkResults,
      }),
    ),
    forget: () => tool.forget(),
  }
}

const positionsOf = ({ database, findPosition }: DebugOptions): DebuggerOptions['findPosition'] => {
  if (database === undefined) return findPosition
  return async (hash, signal) => (await findInIndex(database, hash)) ?? findPosition?.(hash, signal)
}

const findInIndex = async (database: DebugDatabase, hash: Uint8Array): Promise<TransactionPosition | undefined> => {
  const [row] = await readOrNothing(() => findTransactionsByHash(database.reader().keyedReads, [hash]))
  const address = row && parseAddressKey(row.account)
  return row === undefined || address === undefined || typeof address === 'string' ? undefined : { address, lt: row.lt }
}

const findRecordIn = async (database: DebugDatabase, hash: Uint8Array): Promise<TransactionRecord | undefined> => {
  const [record] = await readOrNothing(async () => {
    const server = database.reader()
    return readTransactions(server, await findTransactionsByHash(server.keyedReads, [hash]))
  })
  return record
}

/** Without the index a transaction is found by account and lt. */
const readOrNothing = async <T>(read: () => Promise<readonly T[]>): Promise<readonly T[]> => {
  try {
    return await read()
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) return []
    throw error
  }
}

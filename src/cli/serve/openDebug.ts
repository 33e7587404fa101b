import { type Mount, mount } from '../../api/core/Mount.ts'
import { presentDebug } from '../../api/debug/index.ts'
import { AnswerBudget } from '../../api/v3/AnswerBudget.ts'
import { type BodyDecoder, createBodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import { Debugger, type DebuggerOptions } from '../../debug/Debugger.ts'
import { SourceStore } from '../../debug/sources/SourceStore.ts'
import { createLiveChain } from '../../node/createLiveChain.ts'
import type { ProvenNode } from '../../node/ProvenNode.ts'
import type { Logger } from '../../observe/Logger.ts'
import { createVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import { listCode } from '../../tvm/listCode.ts'
import { type DebugDatabase, findIndexedPosition, openDebugIndex } from './debugIndex.ts'

export type DebugOptions = {
  readonly node: ProvenNode
  /** The index, which finds transactions by hash. */
  readonly database?: DebugDatabase | undefined
  readonly decoder?: BodyDecoder | undefined
  /** Finds what the index does not have. */
  readonly findPosition?: DebuggerOptions['findPosition']
  readonly logger: Logger
  readonly shutdown: { add(name: string, close: () => unknown): unknown }
  readonly checkResults?: boolean
}

export type OpenedDebug = { readonly mounts: readonly Mount[]; forget(): void }

/** A thread of its own, started with the first replay: get-methods never wait for recorded runs. */
const WORKERS = 1

/** The debugger API over a network, at both of its prefixes. */
export const openDebug = async (options: DebugOptions): Promise<OpenedDebug> => {
  const { node, database, decoder = createBodyDecoder(), logger, shutdown, checkResults = false } = options
  const vm = await createVirtualMachine({ logger, workers: WORKERS })
  shutdown.add('virtual machine of the debugger', () => vm.close())
  const tool = new Debugger({ chain: createLiveChain(node), vm, findPosition: positionsOf(options) })
  const sources = new SourceStore()
  const index = database && openDebugIndex(database)
  return {
    mounts: [presentDebug('/api/debug/v1'), presentDebug('/ton/api/debug/v1')].map((definition) =>
      mount(
        definition,
        (call) => ({ debugger: tool, index, sources, listCode, budget: new AnswerBudget(decoder, call), call }),
        { checkResults },
      ),
    ),
    forget: () => tool.forget(),
  }
}

const positionsOf = ({ database, findPosition }: DebugOptions): DebuggerOptions['findPosition'] => {
  if (database === undefined) return findPosition
  return async (hash, signal) => (await findIndexedPosition(database, hash)) ?? findPosition?.(hash, signal)
}

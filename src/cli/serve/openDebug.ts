import { type Mount, mount } from '../../api/core/Mount.ts'
import { presentDebug } from '../../api/debug/index.ts'
import { AnswerBudget } from '../../api/v3/AnswerBudget.ts'
import { type BodyDecoder, builtInDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import { Debugger, type DebuggerOptions } from '../../debug/Debugger.ts'
import { SourceStore } from '../../debug/sources/SourceStore.ts'
import { createLiveChain } from '../../node/createLiveChain.ts'
import type { ProvenNode } from '../../node/ProvenNode.ts'
import type { Logger } from '../../observe/Logger.ts'
import { writeCodeText } from '../../tvm/codeText.ts'
import { createVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import { listCode } from '../../tvm/listCode.ts'
import { type DebugDatabase, findIndexedPosition, openDebugIndex } from './debugIndex.ts'
import type { OpenedEmulate } from './openEmulate.ts'

export type DebuggerParts = {
  readonly node: ProvenNode
  /** The index, which finds transactions by hash. */
  readonly database?: DebugDatabase | undefined
  /** Finds what the index does not have. */
  readonly findPosition?: DebuggerOptions['findPosition']
  readonly logger: Logger
  readonly shutdown: { add(name: string, close: () => unknown): unknown }
}

/** A thread of its own, started with the first replay: get-methods never wait for recorded runs. */
const WORKERS = 1

/** Replays transactions of a network. */
export const openDebugger = async (options: DebuggerParts): Promise<Debugger> => {
  const { node, logger, shutdown } = options
  const vm = await createVirtualMachine({ logger, workers: WORKERS })
  shutdown.add('virtual machine of the debugger', () => vm.close())
  return new Debugger({ chain: createLiveChain(node), vm, findPosition: positionsOf(options) })
}

export type DebugOptions = {
  readonly debugger: Debugger
  readonly database?: DebugDatabase | undefined
  readonly decoder?: BodyDecoder | undefined
  readonly emulation: Pick<OpenedEmulate, 'toParts'>
  /** Where source maps are kept; without it they are in memory. */
  readonly sourceFolder?: string | undefined
  readonly checkResults?: boolean
}

/** The debugger API over a network, at both of its prefixes. */
export const openDebug = (options: DebugOptions): { readonly mounts: readonly Mount[] } => {
  const { debugger: tool, database, decoder = builtInDecoder(), emulation, checkResults = false } = options
  const sources = new SourceStore(options.sourceFolder)
  const index = database && openDebugIndex(database)
  return {
    mounts: [presentDebug('/api/debug/v1'), presentDebug('/ton/api/debug/v1')].map((definition) =>
      mount(
        definition,
        (call) => ({
          debugger: tool,
          index,
          sources,
          listCode,
          writeCodeText,
          emulation: emulation.toParts(call),
          budget: new AnswerBudget(decoder, call),
          call,
        }),
        { checkResults },
      ),
    ),
  }
}

const positionsOf = ({ database, findPosition }: DebuggerParts): DebuggerOptions['findPosition'] => {
  if (database === undefined) return findPosition
  return async (hash, signal) => (await findIndexedPosition(database, hash)) ?? findPosition?.(hash, signal)
}

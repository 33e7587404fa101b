import type { Call } from '../../api/core/Call.ts'
import type { Dialect } from '../../api/core/Interface.ts'
import { type Mount, mount } from '../../api/core/Mount.ts'
import { Answers } from '../../api/core/ResponseCache.ts'
import { MethodRuns } from '../../api/v2/getMethods/MethodRuns.ts'
import { presentV2 } from '../../api/v2/index.ts'
import type { V2Settings } from '../../api/v2/v2Endpoint.ts'
import type { LiveChain } from '../../chain/LiveChain.ts'
import type { VirtualMachine } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { createLiveChain } from '../../node/live/createLiveChain.ts'
import type { ProvenNode } from '../../node/ProvenNode.ts'
import { readVersion } from '../readVersion.ts'

export type V2Options = {
  readonly node: ProvenNode
  readonly vm: VirtualMachine
  /** What is spoken below /api; below /ton/api it is always the spelling of the ecosystem. */
  readonly dialect: Dialect
  readonly settings?: V2Settings
  readonly cacheBytes?: number
  /** Told of every message from outside that a node has taken. */
  readonly onSent?: (message: Cell) => void
  /** Nodes that are kept for some callers, by the names of their pools. */
  readonly pools?: ReadonlyMap<string, ProvenNode>
  /** Holds results against their schemas: for tests. */
  readonly checkResults?: boolean
}

export type OpenedV2 = {
  readonly mounts: readonly Mount[]
  /** Forgets all that is known of the chain: for networks that go back in time. */
  forget(): void
}

const CACHE_BYTES = 128 * 1024 * 1024
/** The part of it that goes to the results of get-methods. */
const METHODS_SHARE = 0.25
const SETTINGS: V2Settings = { topLevelDomain: 'ton' }

/** The live interface over a network, in both spellings. */
export const openV2 = (options: V2Options): OpenedV2 => {
  const { node, vm, dialect, settings = SETTINGS, cacheBytes = CACHE_BYTES, checkResults = false, onSent } = options
  const chain = createLiveChain(node)
  const ownChains = new Map([...(options.pools ?? [])].map(([pool, own]) => [pool, createLiveChain(own)]))
  const chainOf = ({ pool }: Call): LiveChain => (pool === undefined ? chain : (ownChains.get(pool) ?? chain))
  const answers = new Answers({
    maxBytes: (1 - METHODS_SHARE) * cacheBytes,
    findHeadSeqno: () => chain.findHead()?.seqno,
  })
  const methods = new MethodRuns({ vm, maxBytes: METHODS_SHARE * cacheBytes })
  const version = readVersion()
  const definitions = [
    presentV2({ prefix: '/api/v2', dialect, version }),
    presentV2({ prefix: '/ton/api/v2', dialect: 'ton', version }),
  ]
  return {
    mounts: definitions.map((definition) =>
      mount(definition, (call) => ({ chain: chainOf(call), vm, methods, settings, onSent, call }), {
        answers,
        checkResults,
      }),
    ),
    forget: () => {
      node.trust.restart()
      answers.clear()
    },
  }
}

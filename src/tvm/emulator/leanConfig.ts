import type { Cell } from '../../codec/cell/Cell.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { configDictType } from '../../codec/tlb/config/configParams.ts'
import type { ConfigBags } from '../messages.ts'

/**
 * Parameters that the emulator reads for itself before a get-method: version, workchains, storage and gas prices, network,
 * forward prices, special contracts, size limits, precompiled contracts.
 */
const READ_BY_EMULATOR = [8, 12, 18, 19, 20, 21, 24, 25, 31, 43, 45]

/** Below this the rest costs nothing worth saving. */
const MIN_BYTES = 8 * 1024

/** The bags of a configuration: whole, and for get-methods what they need as long as they do not look at it. */
export const encodeConfig = (config: Cell): ConfigBags => {
  const full = encodeBoc([config])
  if (full.length < MIN_BYTES) return { full, lean: undefined }
  const params = new Dict(configDictType, config)
  const kept = READ_BY_EMULATOR.flatMap((id): [number, Cell][] => {
    const param = params.find(id)
    return param === undefined ? [] : [[id, param]]
  })
  const { root } = Dict.of(configDictType, kept)
  return { full, lean: root === undefined ? undefined : encodeBoc([root as Cell]) }
}

import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'
import { unknownTag } from '../unknownTag.ts'

/** What the second form (#c2) adds. */
export type CatchainFlags = { readonly flags: number; readonly shuffleMcValidators: boolean }

/** Lifetimes are in seconds. */
export type CatchainConfig = {
  readonly extension: CatchainFlags | undefined
  readonly mcCatchainLifetime: number
  readonly shardCatchainLifetime: number
  readonly shardValidatorsLifetime: number
  readonly shardValidatorsNum: number
}

/**
 * catchain_config#c1 mc_catchain_lifetime:uint32 shard_catchain_lifetime:uint32 shard_validators_lifetime:uint32
 *   shard_validators_num:uint32 = CatchainConfig;
 * catchain_config_new#c2 flags:(## 7) shuffle_mc_validators:Bool … = CatchainConfig;
 * (ConfigParam 28)
 */
export const readCatchainConfig = (r: CellReader): CatchainConfig => {
  const tag = r.readUint(8)
  if (tag !== 0xc1 && tag !== 0xc2) throw unknownTag('A CatchainConfig', '#c1 or #c2', tag, 8)
  return {
    extension: tag === 0xc2 ? { flags: r.readUint(7), shuffleMcValidators: r.readBit() } : undefined,
    mcCatchainLifetime: r.readUint(32),
    shardCatchainLifetime: r.readUint(32),
    shardValidatorsLifetime: r.readUint(32),
    shardValidatorsNum: r.readUint(32),
  }
}

export const writeCatchainConfig = (w: CellWriter, config: CatchainConfig): void => {
  const { extension } = config
  w.writeUint(extension === undefined ? 0xc1 : 0xc2, 8)
  if (extension !== undefined) w.writeUint(extension.flags, 7).writeBit(extension.shuffleMcValidators)
  w.writeUint(config.mcCatchainLifetime, 32).writeUint(config.shardCatchainLifetime, 32)
  w.writeUint(config.shardValidatorsLifetime, 32).writeUint(config.shardValidatorsNum, 32)
}

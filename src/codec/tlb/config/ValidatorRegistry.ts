import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'

/** The contract where validators name the nodes that collate for them. */
export type ValidatorRegistry = {
  /** In the masterchain. */
  readonly contractAddress: Uint8Array
  readonly maxCollatorsPerValidator: number
  /** Code that the contract may be changed to. */
  readonly newCodeHash: Uint8Array | undefined
}

const TAG = 0x3601163e

/**
 * validator_registry_config#3601163e contract_address:bits256 max_collators_per_validator:uint32
 *   new_code_hash:(Maybe bits256) = ValidatorRegistryConfig;
 * (ConfigParam 46)
 */
export const readValidatorRegistry = (r: CellReader): ValidatorRegistry => {
  r.expectTag(TAG, 32)
  return {
    contractAddress: r.readBytes(32),
    maxCollatorsPerValidator: r.readUint(32),
    newCodeHash: r.readBit() ? r.readBytes(32) : undefined,
  }
}

export const writeValidatorRegistry = (w: CellWriter, registry: ValidatorRegistry): void => {
  w.writeUint(TAG, 32).writeBytes(registry.contractAddress).writeUint(registry.maxCollatorsPerValidator, 32)
  w.writeBit(registry.newCodeHash !== undefined)
  if (registry.newCodeHash !== undefined) w.writeBytes(registry.newCodeHash)
}

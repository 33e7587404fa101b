import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'

/**
 * The id of a masterchain account:
 * _ config_addr:bits256 = ConfigParam 0; _ elector_addr:bits256 = ConfigParam 1; _ minter_addr:bits256 = ConfigParam 2;
 * _ fee_collector_addr:bits256 = ConfigParam 3; _ dns_root_addr:bits256 = ConfigParam 4;
 */
export const readConfigAddress = (r: CellReader): Uint8Array => r.readBytes(32)

export const writeConfigAddress = (w: CellWriter, address: Uint8Array): void => {
  w.writeBytes(address)
}

import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'
import { type Dict, type DictType, readDict, writeDict } from '../../cell/Dict.ts'
import { hashKey } from '../../cell/dictTypes.ts'

/** The key of each oracle in the other chain (32 bytes, padded on the left), by its account here. */
export type Oracles = Dict<Uint8Array, Uint8Array>

export type OracleBridge = {
  readonly bridgeAddress: Uint8Array
  readonly oracleMultisigAddress: Uint8Array
  readonly oracles: Oracles
  readonly externalChainAddress: Uint8Array
}

export const oraclesType: DictType<Uint8Array, Uint8Array> = {
  key: hashKey,
  value: { read: (r) => r.readBytes(32), write: (w, key) => void w.writeBytes(key) },
}

/**
 * oracle_bridge_params#_ bridge_address:bits256 oracle_multisig_address:bits256 oracles:(HashmapE 256 uint256)
 *   external_chain_address:bits256 = OracleBridgeParams;
 * (ConfigParam 71 for Ethereum, 72 for BNB Smart Chain, 73 for Polygon)
 */
export const readOracleBridge = (r: CellReader): OracleBridge => ({
  bridgeAddress: r.readBytes(32),
  oracleMultisigAddress: r.readBytes(32),
  oracles: readDict(r, oraclesType),
  externalChainAddress: r.readBytes(32),
})

export const writeOracleBridge = (w: CellWriter, bridge: OracleBridge): void => {
  w.writeBytes(bridge.bridgeAddress).writeBytes(bridge.oracleMultisigAddress)
  writeDict(w, bridge.oracles)
  w.writeBytes(bridge.externalChainAddress)
}

import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'
import { type Dict, type DictType, readDict, writeDict } from '../../cell/Dict.ts'
import { hashKey } from '../../cell/dictTypes.ts'
import { readWholeRef, writeWhole } from '../../cell/wholeCell.ts'
import { unknownTag } from '../scalars.ts'

/** The key of each oracle in the other chain (32 bytes, padded on the left), by its account here. */
type Oracles = Dict<Uint8Array, Uint8Array>

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

export type JettonBridgePrices = {
  readonly bridgeBurnFee: bigint
  readonly bridgeMintFee: bigint
  readonly walletMinTonsForStorage: bigint
  readonly walletGasConsumption: bigint
  readonly minterMinTonsForStorage: bigint
  readonly discoverGasConsumption: bigint
}

type BridgeParties = {
  readonly bridgeAddress: Uint8Array
  readonly oraclesAddress: Uint8Array
  readonly oracles: Oracles
  readonly stateFlags: number
}

export type JettonBridge =
  | (BridgeParties & { readonly kind: 'v0'; readonly burnBridgeFee: bigint })
  | (BridgeParties & {
      readonly kind: 'v1'
      readonly prices: JettonBridgePrices
      readonly externalChainAddress: Uint8Array
    })

const readParties = (r: CellReader): BridgeParties => ({
  bridgeAddress: r.readBytes(32),
  oraclesAddress: r.readBytes(32),
  oracles: readDict(r, oraclesType),
  stateFlags: r.readUint(8),
})

/**
 * jetton_bridge_prices#_ bridge_burn_fee:Coins bridge_mint_fee:Coins wallet_min_tons_for_storage:Coins
 *   wallet_gas_consumption:Coins minter_min_tons_for_storage:Coins discover_gas_consumption:Coins = JettonBridgePrices;
 */
const readPrices = (r: CellReader): JettonBridgePrices => ({
  bridgeBurnFee: r.readCoins(),
  bridgeMintFee: r.readCoins(),
  walletMinTonsForStorage: r.readCoins(),
  walletGasConsumption: r.readCoins(),
  minterMinTonsForStorage: r.readCoins(),
  discoverGasConsumption: r.readCoins(),
})

const writePrices = (w: CellWriter, prices: JettonBridgePrices): void => {
  w.writeCoins(prices.bridgeBurnFee).writeCoins(prices.bridgeMintFee).writeCoins(prices.walletMinTonsForStorage)
  w.writeCoins(prices.walletGasConsumption).writeCoins(prices.minterMinTonsForStorage)
  w.writeCoins(prices.discoverGasConsumption)
}

/**
 * jetton_bridge_params_v0#00 bridge_address:bits256 oracles_address:bits256 oracles:(HashmapE 256 uint256)
 *   state_flags:uint8 burn_bridge_fee:Coins = JettonBridgeParams;
 * jetton_bridge_params_v1#01 bridge_address:bits256 oracles_address:bits256 oracles:(HashmapE 256 uint256)
 *   state_flags:uint8 prices:^JettonBridgePrices external_chain_address:bits256 = JettonBridgeParams;
 * (ConfigParam 79 for Ethereum, 81 for BNB Smart Chain, 82 for Polygon)
 */
export const readJettonBridge = (r: CellReader): JettonBridge => {
  const tag = r.readUint(8)
  if (tag === 0x00) return { kind: 'v0', ...readParties(r), burnBridgeFee: r.readCoins() }
  if (tag !== 0x01) throw unknownTag('A JettonBridgeParams', '#00 or #01', tag, 8)
  return {
    kind: 'v1',
    ...readParties(r),
    prices: readWholeRef(r, readPrices, 'A JettonBridgePrices'),
    externalChainAddress: r.readBytes(32),
  }
}

export const writeJettonBridge = (w: CellWriter, bridge: JettonBridge): void => {
  w.writeUint(bridge.kind === 'v0' ? 0x00 : 0x01, 8)
    .writeBytes(bridge.bridgeAddress)
    .writeBytes(bridge.oraclesAddress)
  writeDict(w, bridge.oracles)
  w.writeUint(bridge.stateFlags, 8)
  if (bridge.kind === 'v0') w.writeCoins(bridge.burnBridgeFee)
  else w.writeRef(writeWhole(writePrices, bridge.prices)).writeBytes(bridge.externalChainAddress)
}

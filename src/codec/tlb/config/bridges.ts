import type { DictType } from '../../cell/Dict.ts'
import { hashKey, type ValueCodec } from '../../cell/dictTypes.ts'
import { bits256, coins, dictOf, record, refTo, uint8, type ValueOf } from '../record.ts'
import { unknownTag } from '../scalars.ts'

/** The key of each oracle in the other chain (32 bytes, padded on the left), by its account here. */
export const oraclesType: DictType<Uint8Array, Uint8Array> = { key: hashKey, value: bits256 }

/**
 * oracle_bridge_params#_ bridge_address:bits256 oracle_multisig_address:bits256 oracles:(HashmapE 256 uint256)
 *   external_chain_address:bits256 = OracleBridgeParams;
 * (ConfigParam 71 for Ethereum, 72 for BNB Smart Chain, 73 for Polygon)
 */
export const oracleBridge = record({
  bridgeAddress: bits256,
  oracleMultisigAddress: bits256,
  oracles: dictOf(oraclesType),
  externalChainAddress: bits256,
})

const bridgeParties = record({
  bridgeAddress: bits256,
  oraclesAddress: bits256,
  oracles: dictOf(oraclesType),
  stateFlags: uint8,
})

const firstForm = record({ burnBridgeFee: coins })

/**
 * jetton_bridge_prices#_ bridge_burn_fee:Coins bridge_mint_fee:Coins wallet_min_tons_for_storage:Coins
 *   wallet_gas_consumption:Coins minter_min_tons_for_storage:Coins discover_gas_consumption:Coins = JettonBridgePrices;
 */
const jettonBridgePrices = record({
  bridgeBurnFee: coins,
  bridgeMintFee: coins,
  walletMinTonsForStorage: coins,
  walletGasConsumption: coins,
  minterMinTonsForStorage: coins,
  discoverGasConsumption: coins,
})

const secondForm = record({ prices: refTo('A JettonBridgePrices', jettonBridgePrices), externalChainAddress: bits256 })

type JettonBridge = ValueOf<typeof bridgeParties> &
  (({ readonly kind: 'v0' } & ValueOf<typeof firstForm>) | ({ readonly kind: 'v1' } & ValueOf<typeof secondForm>))

/**
 * jetton_bridge_params_v0#00 bridge_address:bits256 oracles_address:bits256 oracles:(HashmapE 256 uint256)
 *   state_flags:uint8 burn_bridge_fee:Coins = JettonBridgeParams;
 * jetton_bridge_params_v1#01 bridge_address:bits256 oracles_address:bits256 oracles:(HashmapE 256 uint256)
 *   state_flags:uint8 prices:^JettonBridgePrices external_chain_address:bits256 = JettonBridgeParams;
 * (ConfigParam 79 for Ethereum, 81 for BNB Smart Chain, 82 for Polygon)
 */
export const jettonBridge: ValueCodec<JettonBridge> = {
  read: (r) => {
    const tag = r.readUint(8)
    if (tag === 0x00) return { kind: 'v0', ...bridgeParties.read(r), ...firstForm.read(r) }
    if (tag === 0x01) return { kind: 'v1', ...bridgeParties.read(r), ...secondForm.read(r) }
    throw unknownTag('A JettonBridgeParams', '#00 or #01', tag, 8)
  },
  write: (w, bridge) => {
    w.writeUint(bridge.kind === 'v0' ? 0x00 : 0x01, 8)
    bridgeParties.write(w, bridge)
    if (bridge.kind === 'v0') firstForm.write(w, bridge)
    else secondForm.write(w, bridge)
  },
}

import type { DictType } from '../../cell/Dict.ts'
import { hashKey } from '../../cell/dictTypes.ts'
import { readCryptoSignature, readSigPubKey, writeCryptoSignature, writeSigPubKey } from '../BlockSignatures.ts'
import { bits256, coins, dictOf, maybe, record, refTo, tagged, uint16, uint32, type ValueOf } from '../record.ts'

/** _ max_validators:(## 16) max_main_validators:(## 16) min_validators:(## 16) = ConfigParam 16; */
export const validatorCounts = record({ maxValidators: uint16, maxMainValidators: uint16, minValidators: uint16 })

/**
 * In seconds:
 * _ validators_elected_for:uint32 elections_start_before:uint32 elections_end_before:uint32 stake_held_for:uint32
 *   = ConfigParam 15;
 */
export const electionTimes = record({
  validatorsElectedFor: uint32,
  electionsStartBefore: uint32,
  electionsEndBefore: uint32,
  stakeHeldFor: uint32,
})

/** _ min_stake:Grams max_stake:Grams min_total_stake:Grams max_stake_factor:uint32 = ConfigParam 17; */
export const stakeLimits = record({
  minStake: coins,
  maxStake: coins,
  minTotalStake: coins,
  /** The largest stake that counts, as a multiple of the smallest one elected: 65,536 is one. */
  maxStakeFactor: uint32,
})

const sigPubKey = { read: readSigPubKey, write: writeSigPubKey }
const cryptoSignature = { read: readCryptoSignature, write: writeCryptoSignature }

/** validator_temp_key#3 adnl_addr:bits256 temp_public_key:SigPubKey seqno:# valid_until:uint32 = ValidatorTempKey; */
const tempKey = tagged(
  0x3,
  4,
  record({ adnlAddress: bits256, tempPublicKey: sigPubKey, seqno: uint32, validUntil: uint32 }),
)

/** signed_temp_key#4 key:^ValidatorTempKey signature:CryptoSignature = ValidatorSignedTempKey; */
const signedTempKey = tagged(0x4, 4, record({ key: refTo('A ValidatorTempKey', tempKey), signature: cryptoSignature }))

export const signedTempKeysType: DictType<Uint8Array, ValueOf<typeof signedTempKey>> = {
  key: hashKey,
  value: signedTempKey,
}

/** _ (HashmapE 256 ValidatorSignedTempKey) = ConfigParam 39; */
export const signedTempKeys = dictOf(signedTempKeysType)

/**
 * The contract where validators name the nodes that collate for them:
 * validator_registry_config#3601163e contract_address:bits256 max_collators_per_validator:uint32
 *   new_code_hash:(Maybe bits256) = ValidatorRegistryConfig;
 * (ConfigParam 46)
 */
export const validatorRegistry = tagged(
  0x3601163e,
  32,
  record({
    /** In the masterchain. */
    contractAddress: bits256,
    maxCollatorsPerValidator: uint32,
    /** Code that the contract may be changed to. */
    newCodeHash: maybe(bits256),
  }),
)

/** How much longer offences of some length are fined, both parts as multiples. */
const offenceInterval = record({ interval: uint16, flatMultiplier: uint16, proportionalMultiplier: uint16 })

/**
 * misbehaviour_punishment_config_v1#01 default_flat_fine:Grams default_proportional_fine:uint32
 *   severity_flat_mult:uint16 severity_proportional_mult:uint16 unpunishable_interval:uint16
 *   long_interval:uint16 long_flat_mult:uint16 long_proportional_mult:uint16
 *   medium_interval:uint16 medium_flat_mult:uint16 medium_proportional_mult:uint16 = MisbehaviourPunishmentConfig;
 * (ConfigParam 40)
 */
export const misbehaviourPunishment = tagged(
  0x01,
  8,
  record({
    defaultFlatFine: coins,
    defaultProportionalFine: uint32,
    severityFlatMultiplier: uint16,
    severityProportionalMultiplier: uint16,
    unpunishableInterval: uint16,
    long: offenceInterval,
    medium: offenceInterval,
  }),
)

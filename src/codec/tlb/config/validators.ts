import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'
import { type Dict, type DictType, readDict, writeDict } from '../../cell/Dict.ts'
import { hashKey } from '../../cell/dictTypes.ts'
import { readWholeRef, writeWhole } from '../../cell/wholeCell.ts'
import {
  type CryptoSignature,
  readCryptoSignature,
  readSigPubKey,
  writeCryptoSignature,
  writeSigPubKey,
} from '../BlockSignatures.ts'

export type ValidatorCounts = {
  readonly maxValidators: number
  readonly maxMainValidators: number
  readonly minValidators: number
}

/** _ max_validators:(## 16) max_main_validators:(## 16) min_validators:(## 16) = ConfigParam 16; */
export const readValidatorCounts = (r: CellReader): ValidatorCounts => ({
  maxValidators: r.readUint(16),
  maxMainValidators: r.readUint(16),
  minValidators: r.readUint(16),
})

export const writeValidatorCounts = (w: CellWriter, counts: ValidatorCounts): void => {
  w.writeUint(counts.maxValidators, 16).writeUint(counts.maxMainValidators, 16).writeUint(counts.minValidators, 16)
}

/** In seconds. */
export type ElectionTimes = {
  readonly validatorsElectedFor: number
  readonly electionsStartBefore: number
  readonly electionsEndBefore: number
  readonly stakeHeldFor: number
}

/**
 * _ validators_elected_for:uint32 elections_start_before:uint32 elections_end_before:uint32 stake_held_for:uint32
 *   = ConfigParam 15;
 */
export const readElectionTimes = (r: CellReader): ElectionTimes => ({
  validatorsElectedFor: r.readUint(32),
  electionsStartBefore: r.readUint(32),
  electionsEndBefore: r.readUint(32),
  stakeHeldFor: r.readUint(32),
})

export const writeElectionTimes = (w: CellWriter, times: ElectionTimes): void => {
  w.writeUint(times.validatorsElectedFor, 32).writeUint(times.electionsStartBefore, 32)
  w.writeUint(times.electionsEndBefore, 32).writeUint(times.stakeHeldFor, 32)
}

export type StakeLimits = {
  readonly minStake: bigint
  readonly maxStake: bigint
  readonly minTotalStake: bigint
  /** The largest stake that counts, as a multiple of the smallest one elected: 65,536 is one. */
  readonly maxStakeFactor: number
}

/** _ min_stake:Grams max_stake:Grams min_total_stake:Grams max_stake_factor:uint32 = ConfigParam 17; */
export const readStakeLimits = (r: CellReader): StakeLimits => ({
  minStake: r.readCoins(),
  maxStake: r.readCoins(),
  minTotalStake: r.readCoins(),
  maxStakeFactor: r.readUint(32),
})

export const writeStakeLimits = (w: CellWriter, limits: StakeLimits): void => {
  w.writeCoins(limits.minStake).writeCoins(limits.maxStake).writeCoins(limits.minTotalStake)
  w.writeUint(limits.maxStakeFactor, 32)
}

export type ValidatorTempKey = {
  readonly adnlAddress: Uint8Array
  readonly tempPublicKey: Uint8Array
  readonly seqno: number
  readonly validUntil: number
}

export type SignedTempKey = { readonly key: ValidatorTempKey; readonly signature: CryptoSignature }

export type SignedTempKeys = Dict<Uint8Array, SignedTempKey>

/** validator_temp_key#3 adnl_addr:bits256 temp_public_key:SigPubKey seqno:# valid_until:uint32 = ValidatorTempKey; */
const readTempKey = (r: CellReader): ValidatorTempKey => {
  r.expectTag(0x3, 4)
  return {
    adnlAddress: r.readBytes(32),
    tempPublicKey: readSigPubKey(r),
    seqno: r.readUint(32),
    validUntil: r.readUint(32),
  }
}

const writeTempKey = (w: CellWriter, key: ValidatorTempKey): void => {
  w.writeUint(0x3, 4).writeBytes(key.adnlAddress)
  writeSigPubKey(w, key.tempPublicKey)
  w.writeUint(key.seqno, 32).writeUint(key.validUntil, 32)
}

/** signed_temp_key#4 key:^ValidatorTempKey signature:CryptoSignature = ValidatorSignedTempKey; */
const readSignedTempKey = (r: CellReader): SignedTempKey => {
  r.expectTag(0x4, 4)
  return { key: readWholeRef(r, readTempKey, 'A ValidatorTempKey'), signature: readCryptoSignature(r) }
}

const writeSignedTempKey = (w: CellWriter, { key, signature }: SignedTempKey): void => {
  w.writeUint(0x4, 4).writeRef(writeWhole(writeTempKey, key))
  writeCryptoSignature(w, signature)
}

export const signedTempKeysType: DictType<Uint8Array, SignedTempKey> = {
  key: hashKey,
  value: { read: readSignedTempKey, write: writeSignedTempKey },
}

/** _ (HashmapE 256 ValidatorSignedTempKey) = ConfigParam 39; */
export const readSignedTempKeys = (r: CellReader): SignedTempKeys => readDict(r, signedTempKeysType)

export const writeSignedTempKeys = (w: CellWriter, keys: SignedTempKeys): void => {
  writeDict(w, keys)
}

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

/** How much longer offences of some length are fined, both parts as multiples. */
export type OffenceInterval = {
  readonly interval: number
  readonly flatMultiplier: number
  readonly proportionalMultiplier: number
}

export type MisbehaviourPunishment = {
  readonly defaultFlatFine: bigint
  readonly defaultProportionalFine: number
  readonly severityFlatMultiplier: number
  readonly severityProportionalMultiplier: number
  readonly unpunishableInterval: number
  readonly long: OffenceInterval
  readonly medium: OffenceInterval
}

const readInterval = (r: CellReader): OffenceInterval => ({
  interval: r.readUint(16),
  flatMultiplier: r.readUint(16),
  proportionalMultiplier: r.readUint(16),
})

const writeInterval = (w: CellWriter, { interval, flatMultiplier, proportionalMultiplier }: OffenceInterval): void => {
  w.writeUint(interval, 16).writeUint(flatMultiplier, 16).writeUint(proportionalMultiplier, 16)
}

/**
 * misbehaviour_punishment_config_v1#01 default_flat_fine:Grams default_proportional_fine:uint32
 *   severity_flat_mult:uint16 severity_proportional_mult:uint16 unpunishable_interval:uint16
 *   long_interval:uint16 long_flat_mult:uint16 long_proportional_mult:uint16
 *   medium_interval:uint16 medium_flat_mult:uint16 medium_proportional_mult:uint16 = MisbehaviourPunishmentConfig;
 * (ConfigParam 40)
 */
export const readMisbehaviourPunishment = (r: CellReader): MisbehaviourPunishment => {
  r.expectTag(0x01, 8)
  return {
    defaultFlatFine: r.readCoins(),
    defaultProportionalFine: r.readUint(32),
    severityFlatMultiplier: r.readUint(16),
    severityProportionalMultiplier: r.readUint(16),
    unpunishableInterval: r.readUint(16),
    long: readInterval(r),
    medium: readInterval(r),
  }
}

export const writeMisbehaviourPunishment = (w: CellWriter, punishment: MisbehaviourPunishment): void => {
  w.writeUint(0x01, 8).writeCoins(punishment.defaultFlatFine).writeUint(punishment.defaultProportionalFine, 32)
  w.writeUint(punishment.severityFlatMultiplier, 16).writeUint(punishment.severityProportionalMultiplier, 16)
  w.writeUint(punishment.unpunishableInterval, 16)
  writeInterval(w, punishment.long)
  writeInterval(w, punishment.medium)
}

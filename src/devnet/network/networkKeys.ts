import { createHmac } from 'node:crypto'
import { fromHex } from '../../primitives/hex.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import { createValidatorKey, type ValidatorKey } from '../collate/StepRequest.ts'
import { createSigner, type Signer } from '../contracts/messages.ts'
import {
  type AccountSecret,
  type DevAccount,
  deriveAccountSecrets,
  openDevAccounts,
} from '../wallets/createDevAccounts.ts'

export type NetworkKeys = {
  readonly validator: ValidatorKey
  /** Signs configuration changes. */
  readonly config: Signer
  readonly faucet: Signer
  /** Secret of the random seeds of blocks. */
  readonly seedSecret: Uint8Array
  /** Seed of the mnemonics of the developer accounts. */
  readonly accounts: Uint8Array
}

/** All keys of a network, derived from its seed. They are not secret: the data folder contains them. */
export const deriveKeys = (seed: string): NetworkKeys => {
  const derive = (purpose: string): Uint8Array =>
    new Uint8Array(createHmac('sha256', `chaincenter network ${purpose}`).update(seed).digest())
  return {
    validator: createValidatorKey(derive('validator')),
    config: createSigner(derive('config')),
    faucet: createSigner(derive('faucet')),
    seedSecret: derive('blocks'),
    accounts: derive('accounts'),
  }
}

/** The seed of the accounts of every network for which none was given. */
export const WELL_KNOWN_SEED = 'chaincenter'

// Deriving these takes two cores a second or more, which would be most of the time until the first block.
const derived = [
  {
    words:
      'roast muffin release kitchen theme deal logic cinnamon print wheel resemble patch girl december labor dolphin session essay occur drop glass crane skin swarm',
    keySeed: '97237fa13baf83da177a254c9690b499a64f6b8eb07c73a8fc1cdb52ccb97144',
  },
  {
    words:
      'render truth blade slot wage patch conduct inform poem scare buzz lion network pool found random benefit nose tiny merry injury shadow unhappy south',
    keySeed: '6e8e34d8285850be7ad24fe7bdb6157719186ec4950e193982f5f022b33ee077',
  },
  {
    words:
      'payment addict wait trigger topple crew hawk grocery easily enforce april genius spin meat recall depth nominee torch day subway frozen release foot gossip',
    keySeed: '2ddca3d86147088d66185be4bbcdd4c5d5c0d0a5281801b04fb3f7fc79aecd55',
  },
  {
    words:
      'defense shuffle ahead rug diary stairs melody survey screen speak plunge foam always change kid angry ankle heart public zone art original rookie eternal',
    keySeed: '4cf4b46b5b44f2609bcdfa41bfba2b185061634988fbaf34e3f34367621b591b',
  },
  {
    words:
      'remove window detect dolphin twelve pet tuition melody limit corn service museum own okay force tell leaf frog wage antique wreck infant fatal add',
    keySeed: '82f923338eeaddebc05799385c23ad5d55427bc8751d963908855356418035a2',
  },
  {
    words:
      'airport phone patient marine rival head satoshi pigeon novel possible bright empty sister idea struggle drink uniform track peasant envelope fringe toe squirrel loud',
    keySeed: '74b4fba9855b4cbb8401347ef970cad504dbd4e539a31544d0f837c64374dbde',
  },
  {
    words:
      'police gown slight normal arrange receive black rent draft chat boring march consider floor type segment snack ice target there pact chimney soap boring',
    keySeed: '07ae992d9f7b83bbfd8e9a9fedb85ac827084531b5164e85b6704cfebfb5a252',
  },
  {
    words:
      'tuition myself tragic random duty firm club because welcome hat dune used jeans cause fresh puzzle replace track lab moment leader siren suggest move',
    keySeed: '3ce65d690ff2229da130e9fc1ba80ca75c685871af4845fa030eec630eb22443',
  },
  {
    words:
      'region edge coil wild cactus saddle decide grunt usual figure celery deal area slab swim smart inside happy inmate spot fuel shift title luxury',
    keySeed: '4b656452a9bac106173d92148f985ee4186c3cc80a8311074b0c6844f7f98a40',
  },
  {
    words:
      'toast memory good street rent wink wet spice update submit steak lunch menu law search agent trumpet hedgehog code trash imitate renew actual sauce',
    keySeed: '9b9050bc4fc8fa331da6ed8d33eb500ada396e22f9385fbad71a24619db04eab',
  },
]

/** What comes from {@link WELL_KNOWN_SEED}. */
export const listWellKnownSecrets = (): readonly AccountSecret[] =>
  derived.map(({ words, keySeed }) => ({ mnemonic: words.split(' '), keySeed: fromHex(keySeed) }))

/** Wallets of the fifth version have a network's id in their address; libraries take the main network's unless told otherwise. */
export const WALLET_NETWORK_ID = -239

// A test suite starts many networks with the same seed.
const known = new LruCache<Promise<readonly DevAccount[]>>(16)

/** The accounts of a developer: the same for the same seed. */
export const findAccounts = (seed: string): Promise<readonly DevAccount[]> => {
  const before = known.find(seed)
  if (before !== undefined) return before
  const accounts = openAccounts(seed)
  known.set(seed, accounts)
  return accounts
}

const openAccounts = async (seed: string): Promise<readonly DevAccount[]> => {
  const secrets =
    seed === WELL_KNOWN_SEED ? listWellKnownSecrets() : await deriveAccountSecrets(deriveKeys(seed).accounts)
  return openDevAccounts((index) => secrets[index]!, WALLET_NETWORK_ID)
}

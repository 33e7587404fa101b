import { createHmac } from 'node:crypto'
import { createValidatorKey, type ValidatorKey } from '../collate/ValidatorKey.ts'
import { createSigner, type Signer } from '../contracts/Signer.ts'

export type NetworkKeys = {
  readonly validator: ValidatorKey
  /** May change the configuration. */
  readonly config: Signer
  readonly faucet: Signer
  /** Makes the random seeds of blocks. */
  readonly seedSecret: Uint8Array
  /** Makes the mnemonics of the developer's accounts. */
  readonly accounts: Uint8Array
}

/** Every key of a network, from its seed. None of them is a secret: whoever has the data folder has them. */
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

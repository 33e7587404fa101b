import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  randomBytes,
  sign as signBytes,
} from 'node:crypto'
import { CodedError } from '../primitives/errors.ts'

/** Signature schemes of Standard Webhooks 1.0: HMAC-SHA256 with a shared secret, or Ed25519. */
export type Scheme = 'v1' | 'v1a'

/** A signing key: the shared secret, or the seed of an Ed25519 key; 32 bytes. */
export type SigningKey = { readonly scheme: Scheme; readonly key: Uint8Array }

/** What an endpoint keeps secret. */
export type EndpointSecrets = {
  readonly current: SigningKey
  /** The key before a rotation, which signs until a unix time in milliseconds. */
  readonly former: (SigningKey & { readonly until: number }) | undefined
  /** Request headers of the owner, in lower case; they may have credentials. */
  readonly headers: Readonly<Record<string, string>>
}

export const makeSigningKey = (scheme: Scheme): SigningKey => ({ scheme, key: randomBytes(32) })

/** The secret as its owner gets it: `whsec_…`. An Ed25519 key has none. */
export const formatSecret = ({ scheme, key }: SigningKey): string | undefined =>
  scheme === 'v1' ? `whsec_${Buffer.from(key).toString('base64')}` : undefined

/** PKCS #8 around an Ed25519 seed. */
const SEED_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC_BYTES = 32

const privateKeyOf = (seed: Uint8Array) =>
  createPrivateKey({ key: Buffer.concat([SEED_PREFIX, seed]), format: 'der', type: 'pkcs8' })

/** The public key of an Ed25519 key: `whpk_…`. */
export const formatPublicKey = ({ scheme, key }: SigningKey): string | undefined => {
  if (scheme === 'v1') return undefined
  const spki = createPublicKey(privateKeyOf(key)).export({ format: 'der', type: 'spki' })
  return `whpk_${spki.subarray(-PUBLIC_BYTES).toString('base64')}`
}

/** The header `webhook-signature`: a signature per valid key, parted by blanks. */
export const signRequest = (
  { current, former }: Pick<EndpointSecrets, 'current' | 'former'>,
  request: { readonly id: string; readonly timestamp: number; readonly body: string },
  now: number,
): string => {
  const text = Buffer.from(`${request.id}.${request.timestamp}.${request.body}`)
  const keys = former !== undefined && now < former.until ? [current, former] : [current]
  return keys.map((key) => signText(key, text)).join(' ')
}

const signText = ({ scheme, key }: SigningKey, text: Uint8Array): string => {
  const signature =
    scheme === 'v1' ? createHmac('sha256', key).update(text).digest() : signBytes(null, text, privateKeyOf(key))
  return `${scheme},${signature.toString('base64')}`
}

/** Stored secrets cannot be decrypted. */
class SecretsUnreadableError extends CodedError {
  readonly code = 'webhook_secrets_unreadable'
}

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts what the database must not show (AES-256-GCM). The key is derived from the secret of API keys, which is not in the
 * database.
 */
export class SecretBox {
  readonly #key: Uint8Array

  constructor(secret: Uint8Array) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', 'chaincenter webhooks', 32))
  }

  /** `about` names what is encrypted: one row cannot stand for another. */
  seal(about: string, text: string): Uint8Array {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(about))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), sealed])
  }

  open(about: string, sealed: Uint8Array): string {
    const bytes = Buffer.from(sealed)
    const body = 1 + NONCE_BYTES + TAG_BYTES
    try {
      if (bytes[0] !== VERSION) throw new TypeError('unknown version')
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(1, 1 + NONCE_BYTES))
        .setAAD(Buffer.from(about))
        .setAuthTag(bytes.subarray(1 + NONCE_BYTES, body))
      return Buffer.concat([decipher.update(bytes.subarray(body)), decipher.final()]).toString('utf8')
    } catch (cause) {
      throw new SecretsUnreadableError('Stored secrets of webhooks need the --keys-secret they were made with.', {
        cause,
      })
    }
  }

  sealSecrets(endpointId: string, { current, former, headers }: EndpointSecrets): Uint8Array {
    const plain = (key: SigningKey) => ({ scheme: key.scheme, key: Buffer.from(key.key).toString('base64') })
    const former64 = former && { ...plain(former), until: former.until }
    return this.seal(endpointId, JSON.stringify({ current: plain(current), former: former64, headers }))
  }

  openSecrets(endpointId: string, sealed: Uint8Array): EndpointSecrets {
    const stored = JSON.parse(this.open(endpointId, sealed)) as StoredSecrets
    const toKey = ({ scheme, key }: StoredKey): SigningKey => ({ scheme, key: Buffer.from(key, 'base64') })
    const { current, former, headers } = stored
    return {
      current: toKey(current),
      former: former && { ...toKey(former), until: former.until },
      headers,
    }
  }
}

type StoredKey = { readonly scheme: Scheme; readonly key: string }

type StoredSecrets = {
  readonly current: StoredKey
  readonly former?: (StoredKey & { readonly until: number }) | undefined
  readonly headers: Readonly<Record<string, string>>
}

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readFixtureJson } from '../../test/support/fixtures.ts'
import { fromHex, toHex } from '../primitives/hex.ts'
import { AdnlError } from './errors.ts'
import { encodeFrame, FrameDecoder } from './frames.ts'
import {
  acceptHandshake,
  createClientCiphers,
  createHandshake,
  createServerCiphers,
  createServerKey,
} from './handshake.ts'
import { isSignatureValid, keyIdOf, publicKeyOf, sharedSecret, signWith } from './keys.ts'

const SESSION = 'localnet/liteserver/adnl-session.json'

type RecordedSession = {
  readonly client_private_seed: string
  readonly client_public_key: string
  readonly server_private_seed: string
  readonly server_public_key: string
  readonly server_key_id: string
  readonly shared_secret: string
  readonly session_params_160: string
  readonly cipher_events: readonly {
    readonly dir: string
    readonly cipher_hex: string
    readonly handshake_hex: string
  }[]
  readonly plain_events: readonly { readonly stream_hex?: string; readonly packet_hex?: string }[]
}
const serverKey = createServerKey(new Uint8Array(32).fill(2))

describe('keys', () => {
  it('derive the public key of RFC 8032, test 1, and sign as there', () => {
    const seed = fromHex('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60')
    const publicKey = publicKeyOf(seed)
    assert.equal(toHex(publicKey), 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a')
    const signature = signWith(seed)(new Uint8Array(0))
    assert.match(toHex(signature), /^e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb88215/)
    assert.equal(isSignatureValid(publicKey, new Uint8Array(0), signature), true)
    assert.equal(isSignatureValid(publicKey, new Uint8Array(1), signature), false)
    assert.equal(isSignatureValid(publicKey.subarray(1), new Uint8Array(0), signature), false)
    assert.equal(isSignatureValid(publicKey, new Uint8Array(0), signature.subarray(1)), false)
  })

  it('give both ends the same secret', () => {
    const [a, b] = [new Uint8Array(32).fill(5), new Uint8Array(32).fill(6)]
    assert.deepEqual(sharedSecret(a, publicKeyOf(b)), sharedSecret(b, publicKeyOf(a)))
  })

  it('refuse points that share no secret', () => {
    // y = 1 is the neutral element, y = 0 and y = -1 have small order.
    for (const y of ['01', '00', 'ec']) {
      const point = fromHex(y + (y === 'ec' ? `${'ff'.repeat(30)}7f` : '00'.repeat(31)))
      assert.throws(() => sharedSecret(new Uint8Array(32).fill(5), point), AdnlError)
    }
  })
})

describe('handshake', () => {
  it('brings the parameters over', () => {
    const { packet, params } = createHandshake(serverKey.publicKey)
    assert.equal(packet.length, 256)
    assert.deepEqual(packet.subarray(0, 32), keyIdOf(serverKey.publicKey))
    assert.deepEqual(acceptHandshake(packet, [serverKey]), params)
  })

  it('is refused for every changed byte', () => {
    const { packet } = createHandshake(serverKey.publicKey)
    for (let at = 0; at < packet.length; at++) {
      // The top bit of the client's key is the sign of x, which the exchange does not use.
      const broken = packet.slice()
      broken[at]! ^= at === 63 ? 1 : 0x80
      assert.throws(() => acceptHandshake(broken, [serverKey]), AdnlError, `byte ${at}`)
    }
  })
})

describe('a recorded session', () => {
  it('is reproduced byte for byte from its keys', () => {
    const session = readFixtureJson<RecordedSession>(SESSION)
    const clientSeed = fromHex(session.client_private_seed)
    const recordedServer = createServerKey(fromHex(session.server_private_seed))
    assert.equal(toHex(recordedServer.publicKey), session.server_public_key)
    assert.equal(toHex(recordedServer.id), session.server_key_id)
    assert.equal(toHex(publicKeyOf(clientSeed)), session.client_public_key)
    assert.equal(toHex(sharedSecret(clientSeed, recordedServer.publicKey)), session.shared_secret)
    const { packet, params } = createHandshake(
      recordedServer.publicKey,
      clientSeed,
      fromHex(session.session_params_160),
    )
    assert.equal(toHex(packet), session.cipher_events[0]?.handshake_hex)
    assert.deepEqual(acceptHandshake(packet, [recordedServer]), params)
    const ends = { client: createClientCiphers(params), server: createServerCiphers(params) }
    let packets = 0
    for (const [k, { dir, cipher_hex }] of session.cipher_events.slice(1).entries()) {
      const event = session.plain_events[k]
      const plain = fromHex(event?.stream_hex ?? event?.packet_hex ?? '')
      const [from, to] = dir === 'client->server' ? [ends.client, ends.server] : [ends.server, ends.client]
      assert.equal(toHex(from.encrypt(plain)), cipher_hex)
      assert.equal(toHex(to.decrypt(fromHex(cipher_hex))), toHex(plain))
      new FrameDecoder((payload) => {
        packets++
        assert.equal(toHex(encodeFrame(payload, plain.subarray(4, 36))), toHex(plain))
      }).push(plain)
    }
    assert.equal(packets, 9)
  })
})

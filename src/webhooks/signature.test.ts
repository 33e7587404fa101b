import assert from 'node:assert/strict'
import { createHmac, createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { formatPublicKey, formatSecret, makeSigningKey, SecretBox, signRequest } from './signature.ts'

const request = { id: 'f-1-2-st-00', timestamp: 1_700_000_000, body: '{"type":"test","ü":1}' }
const text = `${request.id}.${request.timestamp}.${request.body}`

test('a shared secret signs as the example of Standard Webhooks does', () => {
  // From the specification: the message msg_p5jXN8AQM9LWM0D4loKWxJek.
  const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')
  const example = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' }
  assert.equal(
    signRequest({ current: { scheme: 'v1', key }, former: undefined }, example, 0),
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
})

test('both schemes, and both keys during a rotation', () => {
  for (const scheme of ['v1', 'v1a'] as const) {
    const current = makeSigningKey(scheme)
    const former = { ...makeSigningKey(scheme), until: 1000 }
    const isValid = (key: typeof current, signature: string): boolean => {
      const [name, base64 = ''] = signature.split(',')
      assert.equal(name, scheme)
      const bytes = Buffer.from(base64, 'base64')
      if (scheme === 'v1') {
        const secret = Buffer.from(formatSecret(key)!.slice('whsec_'.length), 'base64')
        assert.equal(secret.length, 32)
        return createHmac('sha256', secret).update(text).digest().equals(bytes)
      }
      const raw = Buffer.from(formatPublicKey(key)!.slice('whpk_'.length), 'base64')
      const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw])
      return verify(null, Buffer.from(text), createPublicKey({ key: spki, format: 'der', type: 'spki' }), bytes)
    }
    const during = signRequest({ current, former }, request, 999).split(' ')
    assert.deepEqual(
      during.map((each, k) => isValid([current, former][k]!, each)),
      [true, true],
    )
    const after = signRequest({ current, former }, request, 1000).split(' ')
    assert.equal(after.length, 1)
    assert.ok(isValid(current, after[0]!))
    assert.ok(!isValid(former, after[0]!))
  }
})

test('secrets are stored encrypted, each for its own endpoint', () => {
  const box = new SecretBox(Buffer.alloc(32, 1))
  const former = { ...makeSigningKey('v1a'), until: 5 }
  const secrets = { current: makeSigningKey('v1'), former, headers: { authorization: 'Bearer x' } }
  const sealed = box.sealSecrets('we_1', secrets)
  assert.deepEqual(box.openSecrets('we_1', sealed), secrets)
  assert.ok(!Buffer.from(sealed).includes('Bearer'))
  assert.notDeepEqual(box.sealSecrets('we_1', secrets), sealed)
  assert.throws(() => box.openSecrets('we_2', sealed), { code: 'webhook_secrets_unreadable' })
  assert.throws(() => new SecretBox(Buffer.alloc(32, 2)).openSecrets('we_1', sealed), {
    code: 'webhook_secrets_unreadable',
  })
})

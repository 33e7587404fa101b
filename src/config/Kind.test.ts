import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import {
  choice,
  duration,
  integer,
  type Kind,
  list,
  listenAddress,
  liteServer,
  plan,
  poolServer,
  rate,
  secret,
  subnet,
  text,
  toggle,
} from './Kind.ts'

type Case = { name: string; kind: Kind<unknown>; fits: [string, unknown][]; refused: string[] }

const DAY = 86_400_000

const cases: Case[] = [
  { name: 'text', kind: text('file', 'a file'), fits: [['a b', 'a b']], refused: [''] },
  { name: 'choice', kind: choice(['a', 'b']), fits: [['a', 'a']], refused: ['', 'A', 'c', 'a,b'] },
  {
    name: 'toggle',
    kind: toggle(),
    fits: [
      ['true', true],
      ['1', true],
      ['false', false],
      ['0', false],
    ],
    refused: ['', 'yes', 'TRUE', 'constructor', '__proto__', 'toString'],
  },
  {
    name: 'integer',
    kind: integer({ min: -5, max: 65_535 }),
    fits: [
      ['0', 0],
      ['65535', 65_535],
      ['-5', -5],
      ['007', 7],
    ],
    refused: ['', '65536', '-6', '1.5', '1e3', '0x10', ' 1', '١', '99999999999999999999'],
  },
  {
    name: 'duration',
    kind: duration({ minMs: 10, maxMs: 7 * DAY }),
    fits: [
      ['250ms', 250],
      ['30s', 30_000],
      ['5m', 300_000],
      ['2h', 7_200_000],
      ['7d', 7 * DAY],
    ],
    refused: ['', '30', '9ms', '8d', '1.5h', '-1s', 's', '30 s', '30S'],
  },
  {
    name: 'listenAddress',
    kind: listenAddress(),
    fits: [
      ['127.0.0.1:9081', { host: '127.0.0.1', port: 9081 }],
      ['[::1]:0', { host: '::1', port: 0 }],
      ['none', 'none'],
    ],
    refused: ['', '9081', ':9081', '127.0.0.1', '::1:9081', '127.0.0.1:65536', '127.0.0.1:x', 'a b:1', 'x@y:1', 'off'],
  },
  {
    name: 'liteServer',
    kind: liteServer(),
    fits: [[`[::1]:41002:${'00'.repeat(32)}`, { host: '::1', port: 41_002, publicKey: new Uint8Array(32) }]],
    refused: ['', 'localhost:41002', `localhost:0:${'00'.repeat(32)}`, 'localhost:1:AAAA'],
  },
]

for (const { name, kind, fits, refused } of cases) {
  for (const [given, expected] of fits) {
    test(`${name} reads ${JSON.stringify(given)}`, () => {
      assert.deepEqual(kind.parse([given]), expected)
      assert.deepEqual(kind.parse([kind.format(expected)]), expected)
    })
  }
  for (const given of refused) {
    test(`${name} refuses ${JSON.stringify(given)}`, () => assert.equal(kind.parse([given]), undefined))
  }
}

test('a kind says what it expects', () => {
  assert.equal(choice(['a', 'b']).expects, 'one of a, b')
  assert.equal(integer({ min: 1, max: 9 }).expects, 'a whole number from 1 to 9')
  const expected = 'a duration from 1500ms to 7d, such as 250ms, 30s, 5m, 2h or 7d'
  assert.equal(duration({ minMs: 1500, maxMs: 7 * DAY }).expects, expected)
  assert.equal(list(integer({ min: 1, max: 9 })).expects, 'a list, each item a whole number from 1 to 9')
})

test('only a list takes several texts, and one wrong item spoils it', () => {
  const ports = list(integer({ min: 1, max: 9 }))
  assert.deepEqual(ports.parse(['1', '2']), [1, 2])
  assert.deepEqual(ports.parse([]), [])
  assert.equal(ports.parse(['1', '10']), undefined)
  assert.equal(ports.format([1, 2]), '1,2')
  assert.equal(integer({ min: 1, max: 9 }).parse(['1', '2']), undefined)
})

test('a secret shows itself to nobody who does not ask for it', () => {
  const kind = secret('password', 'a password')
  const value = kind.parse(['hunter2'])
  assert.ok(value !== undefined)
  assert.equal(value.reveal(), 'hunter2')
  for (const shown of [`${value}`, JSON.stringify({ value }), inspect(value), inspect({ value }), kind.format(value)]) {
    assert.match(shown, /\[secret\]/)
    assert.doesNotMatch(shown, /hunter2/)
  }
  assert.equal(kind.parse(['']), undefined)
})

const key = 'A'.repeat(43).concat('=')

test('rates, networks, plans and pools as text', () => {
  const fits = <T>(kind: Kind<T>, text: string, value: T, again = text): void => {
    assert.deepEqual(kind.parse([text]), value, text)
    assert.equal(kind.format(value), again)
  }
  fits(rate(), '5:20', { perSecond: 5, burst: 20 })
  fits(subnet(), '10.0.0.0/8', { address: '10.0.0.0', bits: 8 })
  fits(subnet(), '127.0.0.1', { address: '127.0.0.1', bits: 32 }, '127.0.0.1/32')
  fits(subnet(), 'fd00::/8', { address: 'fd00::', bits: 8 })
  fits(plan(), 'partner=200:400@fast', { name: 'partner', rate: { perSecond: 200, burst: 400 }, pool: 'fast' })
  fits(plan(), 'free=5', { name: 'free', rate: { perSecond: 5, burst: 5 }, pool: undefined })
  const server = { host: '1.2.3.4', port: 5, publicKey: new Uint8Array(32) }
  fits(poolServer(), `fast=1.2.3.4:5:${key}`, { pool: 'fast', server })
  const wrong: [kind: Kind<never>, texts: string[]][] = [
    [rate() as Kind<never>, ['', '0', 'x', '1:0']],
    [
      subnet() as Kind<never>,
      ['', '10.0.0.0/33', '10.0.0/8', 'fd00::/129', '1.2.3.4/', '1.2.3.4/8/8', 'fe80::1%a/64', 'x'],
    ],
    [plan() as Kind<never>, ['', 'a', 'a=', 'A=1', 'a=0', 'a=1@', 'a=1@B', 'a=1@b@c', 'a=1=2']],
    [poolServer() as Kind<never>, ['', `=1.2.3.4:5:${key}`, 'fast=', 'fast=1.2.3.4:5', `1.2.3.4:5:${key}`]],
  ]
  for (const [kind, texts] of wrong) for (const text of texts) assert.equal(kind.parse([text]), undefined, text)
  assert.equal(rate().parse(['1', '2']), undefined)
})

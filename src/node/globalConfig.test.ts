import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { haveFixtures, listFixtures, readFixture } from '../../test/support/fixtures.ts'
import { writeTree } from '../../test/support/writeTree.ts'
import { toHex } from '../primitives/hex.ts'
import { wholeShard } from '../primitives/shard.ts'
import { GlobalConfigError, parseGlobalConfig, readGlobalConfig } from './globalConfig.ts'

const key = Buffer.alloc(32, 1).toString('base64')
const block = (seqno: number, byte: number) =>
  `{"workchain":-1,"shard":-9223372036854775808,"seqno":${seqno},"root_hash":"${Buffer.alloc(32, byte).toString('base64')}","file_hash":"${key}"}`
const config = (liteservers: string, validator = `"zero_state":${block(0, 2)},"init_block":${block(100, 3)}`) =>
  `{"@type":"config.global","liteservers":[${liteservers}],"validator":{"@type":"validator.config.global",${validator}}}`
const server = (fields: string) => `{${fields},"id":{"@type":"pub.ed25519","key":"${key}"}}`

describe('parseGlobalConfig', () => {
  it('reads addresses as signed numbers, and names where they are given', () => {
    const servers = [
      server('"ip":84478511,"port":19949'),
      server('"ip":-2018135749,"port":53312'),
      server('"ip":1,"port":5000,"hostname":"lite.example"'),
      server('"port":0,"hostname":"lite.example:6000"'),
    ]
    const { liteServers } = parseGlobalConfig(config(servers.join(',')), 'test')
    assert.deepEqual(
      liteServers.map(({ host, port }) => `${host}:${port}`),
      ['5.9.10.47:19949', '135.181.177.59:53312', 'lite.example:5000', 'lite.example:6000'],
    )
    assert.equal(toHex(liteServers[0]?.publicKey ?? new Uint8Array(0)), '01'.repeat(32))
  })

  it('begins to trust at the newest of zerostate, init block and hard forks', () => {
    const zero = `"zero_state":${block(0, 2)}`
    const anchorOf = (validator: string): number => parseGlobalConfig(config('', validator), 'test').anchor.seqno
    assert.equal(anchorOf(zero), 0)
    assert.equal(anchorOf(`${zero},"init_block":${block(100, 3)}`), 100)
    assert.equal(anchorOf(`${zero},"init_block":${block(100, 3)},"hardforks":[${block(50, 4)}]`), 100)
    assert.equal(anchorOf(`${zero},"init_block":${block(100, 3)},"hardforks":[${block(50, 4)},${block(150, 5)}]`), 150)
    assert.equal(parseGlobalConfig(config('', zero), 'test').zeroState.shard, wholeShard)
  })

  for (const [what, text, expected] of [
    ['no JSON', '{', /net.json is not a network configuration: it is no JSON/],
    ['another object', '{}', /expected an object at validator\./],
    [
      'no list',
      '{"liteservers":{},"validator":{"zero_state":'.concat(block(0, 1), '}}'),
      /expected a list at liteservers/,
    ],
    [
      'a short key',
      config('{"ip":1,"port":1,"id":{"key":"AAAA"}}'),
      /expected 32 bytes in base64 at liteservers\[0\]\.id\.key/,
    ],
    ['a bad port', config(server('"ip":1,"port":70000')), /expected a port from 1 to 65535/],
    ['a zerostate that is none', config('', `"zero_state":${block(1, 1)}`), /not the beginning of a masterchain/],
    ['a fraction for a number', config(server('"ip":1.5,"port":1')), /expected an integer at liteservers\[0\]\.ip/],
  ] as const) {
    it(`says what is wrong with ${what}`, () => {
      assert.throws(
        () => parseGlobalConfig(text, 'net.json'),
        (error: GlobalConfigError) => {
          assert.ok(error instanceof GlobalConfigError)
          assert.match(error.message, expected)
          return true
        },
      )
    })
  }

  it('reads the recorded files of real networks', async (t) => {
    if (!haveFixtures(t, 'mainnet/configs')) return
    const files = listFixtures('mainnet/configs', '.json').filter((path) => path.includes('global.config'))
    assert.ok(files.length >= 10)
    for (const path of files) {
      const { zeroState, anchor } = parseGlobalConfig(new TextDecoder().decode(readFixture(path)), path)
      assert.equal(zeroState.seqno, 0)
      assert.ok(anchor.seqno >= 0)
    }
    t.diagnostic(`${files.length} configurations read`)
  })
})

describe('readGlobalConfig', () => {
  it('names a file that cannot be read', async (t) => {
    const root = await writeTree(t, { 'net.json': config('') })
    assert.equal((await readGlobalConfig(`${root}/net.json`)).anchor.seqno, 100)
    await assert.rejects(readGlobalConfig(`${root}/none.json`), /none\.json cannot be read/)
  })
})

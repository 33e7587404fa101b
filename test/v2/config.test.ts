import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Cell, Dictionary } from '@ton/core'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { simpleLibsType } from '../../src/codec/tlb/StateInit.ts'
import { contractInit } from '../../src/devnet/contracts/contractInit.ts'
import { toBase64 } from '../../src/primitives/base64.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { assertDescribed } from '../support/openApiCheck.ts'
import { placeContract } from '../support/placeContract.ts'
import { amount, filled } from '../support/sampleMessages.ts'
import { getV2 } from '../support/v2Client.ts'
import { askEveryWay, assertRefused } from '../support/v2Oracle.ts'
import { startV2Network, type V2NetworkService } from '../support/v2Service.ts'
import type { Json } from '../support/v3Client.ts'
import { codeOf, libraryReference } from '../support/vmSamples.ts'

describe('v2 configuration and libraries', () => {
  let service: V2NetworkService

  before(async () => {
    service = await startV2Network()
  })
  after(() => service.close())

  const ask = (name: string, args: Json = {}): Promise<Json> => askEveryWay(service.url, name, args)

  it('tells the whole configuration, and every parameter of it by both names', async () => {
    const all = await ask('getConfigAll')
    const root = Cell.fromBase64(all.config.bytes)
    const params = Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), root)
    assert.ok(params.size > 20)
    for (const id of [0, 8, 12, 15, 18, 21, 25, 34]) {
      const expected = params.get(id)!.toBoc({ idx: false, crc32: true }).toString('base64')
      assert.deepEqual(await ask('getConfigParam', { param: id }), {
        '@type': 'configInfo',
        config: { '@type': 'tvm.cell', bytes: expected },
      })
      assert.equal((await ask('getConfigParam', { config_id: id, seqno: 2 })).config.bytes, expected)
    }
    assert.deepEqual(await ask('getConfigAll', { seqno: 2 }), all)
  })

  it('decodes every parameter, with its name and its cell', async () => {
    const base = `${service.url}/api/v2`
    const { status, body } = await getV2(base, 'getConfigParams')
    await assertDescribed({ base, name: 'getConfigParams', method: 'get', status, body })
    const { params } = (body as Json).result
    const root = Cell.fromBase64((await ask('getConfigAll')).config.bytes)
    const cells = Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), root)
    assert.deepEqual(
      params.map(({ id }: Json) => id),
      [...cells.keys()].sort((a, b) => a - b),
    )
    for (const { id, bytes } of params) assert.equal(Cell.fromBase64(bytes).hash().equals(cells.get(id)!.hash()), true)
    const find = (id: number): Json => params.find((each: Json) => each.id === id)
    assert.deepEqual([find(1).name, find(1).decoded], ['elector_address', '3'.repeat(64)])
    // As another reader reads it.
    const times = cells.get(15)!.beginParse()
    assert.deepEqual(find(15).decoded, {
      validators_elected_for: times.loadUint(32),
      elections_start_before: times.loadUint(32),
      elections_end_before: times.loadUint(32),
      stake_held_for: times.loadUint(32),
    })
    const validators = cells.get(34)!.beginParse().skip(8)
    assert.equal(find(34).decoded.utime_since, validators.loadUint(32))
    assert.match(find(34).decoded.list[0].value.public_key, /^[0-9a-f]{64}$/)
    assert.match(find(34).decoded.list[0].value.weight, /^[1-9][0-9]*$/)
    assert.equal(find(12).decoded[0].key, 0)
    const before = (await getV2(base, 'getConfigParams', { seqno: 2 })).body as Json
    assert.deepEqual(before.result, { '@type': 'ext.configParams', params })
  })

  it('has an empty cell for a parameter that there is not', async () => {
    for (const param of [999, 2147483647]) {
      assert.deepEqual((await ask('getConfigParam', { param })).config, { '@type': 'tvm.cell', bytes: '' })
    }
  })

  it('refuses parameters that are none', async () => {
    const only = 'failed to validate request: only one of config_id or param should be specified'
    const rows: [args: Json, status: number, text: string | RegExp][] = [
      [{}, 422, only],
      [{ param: 1, config_id: 1 }, 422, only],
      [{ param: -1 }, 422, 'failed to validate request: param should be non-negative'],
      [{ config_id: -1 }, 422, 'failed to validate request: config_id should be non-negative'],
      [{ param: 'x' }, 422, 'failed to parse get request: failed to parse param'],
      [{ param: '1.5' }, 422, 'failed to parse get request: failed to parse param'],
      [{ param: 4294967296 }, 422, 'failed to parse get request: failed to parse param'],
      [{ param: 1, seqno: 0 }, 422, 'failed to validate request: seqno should be positive'],
      [{ param: 1, seqno: 'abc' }, 422, 'failed to parse get request: failed to parse seqno'],
      [{ param: 1, seqno: 10_000 }, 500, /^LITE_SERVER_NOTREADY: cannot find block/],
    ]
    for (const [args, status, text] of rows) await assertRefused(service.url, 'getConfigParam', args, { status, text })
    const future = { status: 500, text: /^LITE_SERVER_NOTREADY: cannot find block/ }
    await assertRefused(service.url, 'getConfigAll', { seqno: 10_000 }, future)
  })

  const publish = async (code: ReturnType<typeof codeOf>): Promise<void> => {
    const library = Dict.of(simpleLibsType, [[code.hash(), { isPublic: true, root: code }]]).root
    const init = { ...contractInit(codeOf('30'), new CellWriter().toCell()), library: library as typeof code }
    const address = { workchain: -1, hash: filled(0x4c) }
    await service.network.controls.setAccount({
      address,
      balance: amount(10n ** 12n),
      state: { kind: 'active', init },
    })
    await service.catchUp()
  }

  it('tells of libraries as nodes do, and runs code that is in one', async () => {
    const library = codeOf('30 7A')
    const hash = toBase64(library.hash())
    const user = await placeContract(service, 0x77, { code: libraryReference(library.hash()) })
    const run = { address: user, method: 'any', stack: [] }
    const byBody = { ways: ['post', 'rpc'] } as const
    assert.deepEqual(await ask('getLibraries', { libraries: [hash] }), { '@type': 'smc.libraryResult', result: [] })
    assert.equal((await askEveryWay(service.url, 'runGetMethod', run, byBody)).exit_code, 9)
    await publish(library)
    const found = { '@type': 'smc.libraryEntry', hash, data: toBase64(encodeBoc([library])) }
    const other = toHex(filled(1))
    for (const libraries of [[hash], [toHex(library.hash())], [hash, hash, other], [other, hash]]) {
      assert.deepEqual((await ask('getLibraries', { libraries })).result, [found])
    }
    assert.deepEqual((await askEveryWay(service.url, 'runGetMethod', run, byBody)).stack, [['num', '0xa']])
    // Withdrawn again, it is gone for contracts too, though nothing about them has changed.
    await publish(codeOf('30 7B'))
    assert.deepEqual((await ask('getLibraries', { libraries: [hash] })).result, [])
    assert.equal((await askEveryWay(service.url, 'runGetMethod', run, byBody)).exit_code, 9)
  })

  it('refuses hashes that are none, and too many', async () => {
    const text = 'failed to parse get request: failed to parse libraries'
    const hash = toHex(filled(1))
    for (const libraries of [['zz'], [hash, 'zz'], [''], new Array(17).fill(hash)]) {
      await assertRefused(service.url, 'getLibraries', { libraries }, { status: 422, text })
    }
    assert.equal((await getV2(`${service.url}/api/v2`, 'getLibraries')).status, 200)
    assert.deepEqual(service.logLines, [])
  })
})

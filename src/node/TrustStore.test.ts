import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { writeTree } from '../../test/support/writeTree.ts'
import { createLogger } from '../observe/Logger.ts'
import { type BlockIdExt, masterchain } from '../primitives/BlockId.ts'
import { wholeShard } from '../primitives/shard.ts'
import { TrustStore } from './TrustStore.ts'

const block = (seqno: number): BlockIdExt => ({
  workchain: masterchain,
  shard: wholeShard,
  seqno,
  rootHash: new Uint8Array(32).fill(seqno),
  fileHash: new Uint8Array(32).fill(seqno + 1),
})

const createStore = (dataDir: string) => {
  const lines: string[] = []
  const logger = createLogger({ level: 'info', format: 'json', colours: false, write: (line) => void lines.push(line) })
  return { store: new TrustStore(dataDir, block(0), logger), lines }
}

describe('TrustStore', () => {
  it('gives back what was kept, in a folder that it makes itself', async (t) => {
    const root = await writeTree(t, {})
    const dataDir = join(root, 'a/b')
    const { store } = createStore(dataDir)
    assert.equal(await store.load(), undefined)
    const blocks = { keyBlock: block(7), head: block(9) }
    await store.save(blocks)
    assert.deepEqual(await createStore(dataDir).store.load(), blocks)
    assert.deepEqual(readdirSync(dataDir), ['trust-0000000000000000.json'])
  })

  it('does not use a damaged file, and says so', async (t) => {
    const root = await writeTree(t, {})
    const { store, lines } = createStore(root)
    await store.save({ keyBlock: block(7), head: block(9) })
    const path = join(root, 'trust-0000000000000000.json')
    const whole = readFileSync(path, 'utf8')
    for (const content of ['', '{}', 'null', whole.slice(0, 60), whole.replace('(-1,', '(x,')]) {
      writeFileSync(path, content)
      assert.equal(await store.load(), undefined, content)
    }
    assert.equal(lines.length, 5)
    assert.match(lines[0] ?? '', /trusted blocks file ignored/)
  })

  it('goes on where the folder cannot be written', async (t) => {
    const root = await writeTree(t, { taken: 'a file' })
    const { store, lines } = createStore(join(root, 'taken'))
    await store.save({ keyBlock: block(7), head: block(9) })
    assert.match(lines[0] ?? '', /trusted blocks write failed/)
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filled } from '../../../test/support/sampleMessages.ts'
import { MAX_ENTRY_NAME, parseEntryName } from './entryName.ts'

const root = '1A'.repeat(32)
const file = '2B'.repeat(32)

test('the names of blocks and proofs are read in either case', () => {
  const id = {
    workchain: -1,
    shard: 0x8000_0000_0000_0000n,
    seqno: 42,
    rootHash: filled(0x1a),
    fileHash: filled(0x2b),
  }
  const place = '(-1,8000000000000000,42)'
  const plain = (name: string) => {
    const parsed = parseEntryName(name)
    if (parsed === undefined) return undefined
    const { rootHash, fileHash } = parsed.id
    return { ...parsed, id: { ...parsed.id, rootHash: new Uint8Array(rootHash), fileHash: new Uint8Array(fileHash) } }
  }
  assert.deepEqual(plain(`block_${place}:${root}:${file}`), { kind: 'block', id })
  assert.deepEqual(plain(`proof_${place}:${root}:${file}`), { kind: 'proof', id })
  assert.deepEqual(plain(`prooflink_${place}:${root}:${file}`), { kind: 'prooflink', id })
  assert.deepEqual(plain(`PROOFLINK_${place}:${root.toLowerCase()}:${file.toLowerCase()}`), {
    kind: 'prooflink',
    id,
  })
})

test('other kinds and names that no node writes are passed over', () => {
  const names = [
    '',
    '_',
    'block',
    'block_',
    `signatures_(0,8000000000000000,1):${root}:${file}`,
    `blocks_(0,8000000000000000,1):${root}:${file}`,
    `_(0,8000000000000000,1):${root}:${file}`,
    `block_(0,8000000000000000,1):${root}:${file.slice(1)}`,
    `block_(0,8000000000000000,1):${root}:${file} `,
    `block_(0,8000000000000000,1):${root}:${'G'.repeat(64)}`,
    `block_(0,8000000000000000,4294967296):${root}:${file}`,
    `block_(0,8000000000000000,-1):${root}:${file}`,
    `block_(0,8000000000000000,1):${root}${file}0`,
    `block_(0,8000000000000000,1)${root}::${file}`,
    `block_${root}:${file}`,
    `block_:${root}:${file}`,
    // No block has such a place or such a hash.
    `block_(0,0000000000000000,1):${root}:${file}`,
    `block_(0,8000000000000001,1):${root}:${file}`,
    `block_(-1,4000000000000000,1):${root}:${file}`,
    `block_(0,8000000000000000,1):${'0'.repeat(64)}:${file}`,
  ]
  for (const name of names) assert.equal(parseEntryName(name), undefined, name)
})

test('the longest name that is read fits the limit', () => {
  const longest = `prooflink_(-2147483647,fffffffffffffff8,2147483647):${root}:${file}`
  assert.notEqual(parseEntryName(longest), undefined)
  assert.ok(longest.length <= MAX_ENTRY_NAME)
})

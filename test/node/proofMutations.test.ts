import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProofFailedError } from '../../src/chain/errors.ts'
import { decodeBoc } from '../../src/codec/cell/decodeBoc.ts'
import { CodedError } from '../../src/primitives/errors.ts'
import { Random } from '../hostile/Random.ts'
import { type BytesField, listBytes, replaceBytes } from '../support/bytesIn.ts'
import { describeFacts } from '../support/describeFacts.ts'
import { haveFixtures, listFixtures } from '../support/fixtures.ts'
import { findProofCase, readPair } from '../support/liteProofs.ts'
import { LocalnetTrust } from '../support/localnetTrust.ts'
import { mainnetProofs } from '../support/mainnetProofs.ts'
import { MutableBag } from '../support/mutateProof.ts'
import type { AnyProofCase } from '../support/ProofCase.ts'
import { Tally } from '../support/rewriteBlock.ts'

const MUTATIONS = 200
const seed = Number(process.env['FC_SEED'] ?? 1)

const localnetCases = (): AnyProofCase[] => {
  const trust = new LocalnetTrust()
  return listFixtures('localnet/liteserver', '.json')
    .filter((path) => /\/\d{3}-/.test(path) && !path.includes('malformed'))
    .flatMap((path) => {
      const { request, response } = readPair(path)
      return findProofCase(path, request, response, trust) ?? []
    })
}

type Mutation = { readonly kind: string; readonly field: BytesField; readonly bytes: Uint8Array }

/** Half of the changes are of one byte in any field, half of one cell in a bag. */
const drawMutation = (fields: readonly BytesField[], bags: Map<string, MutableBag>, random: Random): Mutation => {
  const inBags = fields.filter(({ path }) => bags.has(path))
  if (inBags.length > 0 && random.once(2)) {
    const field = random.pick(inBags)
    return { field, ...bags.get(field.path)!.mutate(random) }
  }
  // A proof has a thousand bytes and a hash 32, but both must be right: fields first, then bytes.
  const field = random.pick(fields)
  const bytes = field.bytes.slice()
  bytes[random.below(bytes.length)]! ^= random.between(1, 255)
  return { kind: 'byte', field, bytes }
}

/** Whether a changed bag holds what the first one held, in the same order: then nothing was changed. */
const isSameBag = (bag: MutableBag | undefined, bytes: Uint8Array): boolean => {
  try {
    return bag?.holds(decodeBoc(bytes)) === true
  } catch (error) {
    if (error instanceof CodedError) return false
    throw error
  }
}

const mutateCase = ({ name, answer, verify, unbound, meaning }: AnyProofCase, stream: number, tally: Tally): void => {
  const random = new Random(seed, stream)
  const fields = listBytes(answer).filter(({ path }) => unbound?.test(path) !== true)
  if (fields.length === 0) {
    tally.add('without bytes')
    return
  }
  const bags = new Map(
    fields.flatMap(({ path, bytes }) => {
      const bag = MutableBag.open(bytes)
      return bag === undefined ? [] : [[path, bag] as const]
    }),
  )
  const facts = describeFacts(verify(answer))
  tally.add('proofs')
  for (let done = 0; done < MUTATIONS; ) {
    const { kind, field, bytes } = drawMutation(fields, bags, random)
    const changed = replaceBytes(answer, field.path, bytes)
    let passed: unknown
    try {
      passed = verify(changed)
    } catch (error) {
      assert.ok(error instanceof ProofFailedError, `${name}, ${kind} in ${field.path}: ${error}`)
      tally.add(kind)
      done++
      continue
    }
    const isLegal =
      kind === 'pruneSelf' ||
      isSameBag(bags.get(field.path), bytes) ||
      (meaning !== undefined && describeFacts(meaning(changed)) === describeFacts(meaning(answer)))
    assert.ok(isLegal, `${name}: a mutation (${kind}) of ${field.path} was not noticed (seed ${seed})`)
    assert.equal(describeFacts(passed), facts, `${name}: a legal change (${kind}) of ${field.path} changed the facts`)
    tally.add('legal, drawn again')
  }
}

for (const [name, folders, cases] of [
  ['localnet', ['localnet/liteserver', 'localnet/blocks'], localnetCases],
  ['main and test network', ['mainnet/liteserver', 'mainnet/blocks'], mainnetProofs],
] as const) {
  test(`no change of a ${name} proof goes unnoticed`, (t) => {
    if (!folders.every((folder) => haveFixtures(t, folder))) return
    const tally = new Tally()
    for (const [stream, each] of cases().entries()) mutateCase(each, stream, tally)
    const proofs = tally.counts.get('proofs') ?? 0
    t.diagnostic(`seed ${seed}`)
    t.diagnostic(`${proofs} proofs, ${proofs * MUTATIONS} mutations, all rejected`)
    t.diagnostic(tally.toString())
  })
}

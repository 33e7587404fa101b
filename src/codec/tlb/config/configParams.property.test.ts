import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fromCoreCell } from '../../../../test/support/coreCell.ts'
import { decodeConfigParam } from '../../../../test/support/decodeConfigParam.ts'
import { arbitraryMutant } from '../../../../test/support/mutateCell.ts'
import { sampleParams } from '../../../../test/support/sampleConfig.ts'
import { toPlain } from '../../../../test/support/toPlain.ts'
import { CodedError } from '../../../primitives/errors.ts'
import { encodeConfigParam } from './configParams.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

test('a spoilt parameter gives its raw cell and one of our errors, or a value that is written and read back', (t) => {
  t.diagnostic(`seed ${seed}`)
  let known = 0
  let raw = 0
  for (const { id, cell } of sampleParams) {
    const spoilt = arbitraryMutant(fromCoreCell(cell))
    fc.assert(
      fc.property(spoilt, ({ cell: mutant }) => {
        const decoded = decodeConfigParam(id, mutant)
        if (decoded.kind === 'raw') {
          assert(decoded.error instanceof CodedError && decoded.cell === mutant)
          raw++
          return
        }
        const again = decodeConfigParam(id, encodeConfigParam(decoded.id, decoded.value as never))
        assert(again.kind === 'known')
        assert.deepEqual(toPlain(again.value), toPlain(decoded.value))
        known++
      }),
      { seed, numRuns: 100 },
    )
  }
  t.diagnostic(`${known} were read, ${raw} stayed raw`)
  assert(known > 500 && raw > 500)
})

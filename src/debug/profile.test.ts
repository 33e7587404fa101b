import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { callCode, createTestMachine } from '../../test/support/vmSamples.ts'
import { getMethodId } from '../codec/tlb/VmValue.ts'
import { compiledCode } from '../devnet/contracts/contractInit.ts'
import { listCode } from '../tvm/listCode.ts'
import { Coverage, formatCoverage, formatCoverageHtml, formatLcov } from './coverage.ts'
import { compareGas, formatGasDifferences, parseTolerance, takeGasSnapshot } from './gasSnapshot.ts'
import { methodName } from './methodNames.ts'
import { formatFolded, formatGasTable, gasByMethod, toCpuProfile } from './profile.ts'

const { machine } = await createTestMachine({ after }, { workers: 1 })
const code = compiledCode('jettonMinter')
const call = callCode('', { contract: { code }, methodId: getMethodId('get_jetton_data') })
const { recording } = await machine.recordMethod(call, {
  window: undefined,
  stack: 'none',
  registers: false,
  cells: false,
  log: false,
})
const { summary, gas } = recording

test('gas by method has names and shares', () => {
  const rows = gasByMethod([summary, summary])
  assert.equal(rows[0]?.name, 'get_jetton_data')
  assert.equal(rows[0]?.total, 2 * gas.used)
  assert.equal(rows[0]?.share, 1)
  assert.match(formatGasTable(rows), /^method +runs +self +total +share\nget_jetton_data +2 /)
  assert.equal(methodName(77, { 77: 'mine' }), 'mine')
  assert.equal(methodName(-1), 'recv_external')
  assert.equal(methodName(77), 'method_77')
})

test('folded stacks and the profile add up to the gas', () => {
  const lines = formatFolded([summary]).trimEnd().split('\n')
  assert.ok(lines.every((line) => line.startsWith('get_jetton_data')))
  assert.equal(
    lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0),
    gas.used,
  )
  const profile = toCpuProfile([summary])
  assert.equal(profile.endTime, gas.used)
  assert.equal(profile.samples.length, profile.timeDeltas.length)
  const children = profile.nodes.flatMap((node) => node.children)
  assert.deepEqual(
    children.sort((a, b) => a - b),
    profile.nodes.slice(1).map(({ id }) => id),
  )
})

test('coverage of a code by its instructions', () => {
  const coverage = new Coverage()
  coverage.add(summary.coverage)
  const listing = listCode(code)
  assert.deepEqual(
    listing.methods.map(({ id }) => id).filter((id) => id > 1),
    [getMethodId('get_jetton_data'), getMethodId('get_wallet_address')].sort((a, b) => a - b),
  )
  const report = coverage.report(listing)
  assert.ok(report.instructions.covered > 5 && report.instructions.covered < report.instructions.total)
  // All that ran is part of the listing.
  const ran = summary.coverage.flatMap(({ instructions }) => instructions).length
  assert.equal(report.instructions.covered, ran)
  assert.match(formatCoverage(report), /, 1 runs\ninstructions \d+\/\d+ /)
  const lcov = formatLcov(report)
  assert.equal(lcov.match(/^DA:/gm)?.length, report.instructions.total)
  assert.match(lcov, /^BRDA:\d+,0,0,/m)
  assert.match(formatCoverageHtml(report), /<tr class="hit">/)
})

test('snapshots of gas compare within a tolerance', () => {
  const base = takeGasSnapshot([
    { key: 'wallet transfer', gas: 100 },
    { key: 'wallet transfer', gas: 200 },
    { key: 'old', gas: 5 },
  ])
  assert.deepEqual(base['wallet transfer'], { min: 100, max: 200, mean: 150, runs: 2 })
  const now = takeGasSnapshot([
    { key: 'wallet transfer', gas: 153 },
    { key: 'new', gas: 7 },
  ])
  const strict = compareGas(base, now)
  assert.deepEqual(
    strict.map(({ key, fails }) => [key, fails]),
    [
      ['wallet transfer', true],
      ['new', false],
      ['old', false],
    ],
  )
  assert.ok(compareGas(base, now, 0.02).every(({ fails }) => !fails))
  assert.equal(formatGasDifferences(strict), '! wallet transfer  150 → 153  +3 (+2.00%)\n+ new  7\n- old  5')
  assert.equal(parseTolerance('1%'), 0.01)
  assert.equal(parseTolerance('0.05'), 0.05)
  assert.equal(parseTolerance('a lot'), undefined)
})

import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { openCell } from '../../codec/cell/CellReader.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { bodyCell, readMessage } from '../../codec/tlb/Message.ts'
import { readTransaction } from '../../codec/tlb/Transaction.ts'
import {
  compareGas,
  formatGasDifferences,
  type GasSample,
  type GasSnapshot,
  parseTolerance,
  takeGasSnapshot,
} from '../../debug/gasSnapshot.ts'
import type { Replay } from '../../debug/replay/replayTransaction.ts'
import { formatRawAddress } from '../../primitives/Address.ts'
import { createVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import type { CommandContext } from '../Command.ts'
import { exitCodes, UsageError } from '../errors.ts'
import { readTarget } from './readTarget.ts'
import { openReplay, readChanges } from './runTrace.ts'

/** Takes or checks a snapshot of the gas that transactions use. */
export const runGas = async (context: CommandContext, words: readonly string[]): Promise<number> => {
  const [action, file = '', ...transactions] = words
  if (action !== 'snapshot' && action !== 'check') {
    throw new UsageError(
      `Expected snapshot or check, but got ${JSON.stringify(action)}.`,
      'See chaincenter gas --help.',
    )
  }
  if (transactions.length === 0) {
    throw new UsageError(
      'No transaction is given.',
      'Give files written with "chaincenter trace … --save", or account:lt.',
    )
  }
  const tolerance = parseTolerance(context.config.tolerance)
  if (tolerance === undefined) throw new UsageError('Expected --tolerance to be a share such as 1%.', 'Change it.')
  const snapshot = takeGasSnapshot(await measure(context, transactions))
  const path = resolve(context.workingDir, file)
  if (action === 'snapshot') {
    await writeFile(path, `${JSON.stringify(snapshot, undefined, 2)}\n`)
    const count = Object.keys(snapshot).length
    context.show({
      text: `${count} operations of ${transactions.length} transactions are in ${path}.`,
      value: snapshot,
    })
    return exitCodes.ok.code
  }
  const differences = compareGas(await readSnapshot(path), snapshot, tolerance)
  const failed = differences.filter(({ fails }) => fails).length
  context.show({
    text: `${formatGasDifferences(differences)}\n${differences.length - failed} passed, ${failed} failed`,
    value: { differences, failed },
  })
  return failed === 0 ? exitCodes.ok.code : exitCodes.failed.code
}

const readSnapshot = async (path: string): Promise<GasSnapshot> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as GasSnapshot
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new UsageError(`${path} is not a gas snapshot: it is not JSON.`, 'Write one with "chaincenter gas snapshot".')
  }
}

const measure = async (context: CommandContext, words: readonly string[]): Promise<GasSample[]> => {
  const vm = await createVirtualMachine({ logger: context.logger, workers: 1 })
  context.shutdown.add('virtual machine', () => vm.close())
  const samples: GasSample[] = []
  for (const word of words) {
    const run = await openReplay(context, vm, await readTarget(context, word))
    const replay = await run(undefined)
    const changes = await readChanges(context, replay)
    samples.push(sampleOf(changes === undefined ? replay : await run(changes)))
  }
  return samples
}

/** Contract and operation, with the gas of the compute phase. */
const sampleOf = ({ inputs, run }: Replay): GasSample => {
  const account = formatRawAddress(inputs.address)
  if (run.kind !== 'executed') return { key: `${account} not accepted`, gas: 0 }
  const { description, inMsg } = readWhole(run.transaction, readTransaction, 'A transaction')
  const compute = 'computePhase' in description ? description.computePhase : undefined
  const gas = compute?.kind === 'vm' ? Number(compute.gasUsed) : 0
  if (inMsg === undefined) return { key: `${account} ${description.kind}`, gas }
  const { info, body } = readWhole(inMsg, readMessage, 'A message')
  const cell = bodyCell(body)
  const hasOp = info.kind === 'internal' && cell.bits >= 32 && !cell.isExotic
  const op = hasOp ? `0x${openCell(cell).readUint(32).toString(16).padStart(8, '0')}` : info.kind
  return { key: `${account} ${op}`, gas }
}

import { existsSync } from 'node:fs'
import { decodeLiteQuery } from '../../../test/support/decodeLiteQuery.ts'
import { fixturePath } from '../../../test/support/fixtures.ts'
import { formatTable } from '../../../test/support/formatTable.ts'
import { findProofCase, readPair } from '../../../test/support/liteProofs.ts'
import { LocalnetTrust } from '../../../test/support/localnetTrust.ts'
import { accountAnswers, nodeProofs, tlAnswers } from '../../../test/support/mainnetProofs.ts'
import { measure } from '../../../test/support/measure.ts'
import type { AnyProofCase } from '../../../test/support/ProofCase.ts'
import { tlFunctions } from '../../codec/tl/tlObject.ts'
import { verifyAccountState } from './accountProofs.ts'

const check =
  ({ verify, answer }: AnyProofCase) =>
  (): unknown =>
    verify(answer)

/** One check of an account state from the bytes of its answer, and others from answers that are decoded already. */
export const run = (): Record<string, number | string> => {
  if (!['localnet', 'mainnet'].every((network) => existsSync(fixturePath(`${network}/liteserver`)))) {
    return { skipped: 'The recorded answers are not beside this checkout.' }
  }
  const trust = new LocalnetTrust()
  const localnet = (name: string): AnyProofCase => {
    const { request, response } = readPair(`localnet/liteserver/${name}.json`)
    return findProofCase(name, request, response, trust)!
  }
  const { request, response } = readPair('localnet/liteserver/019-getAccountState-wallet-v3.json')
  const { call } = decodeLiteQuery(request)
  if (call.kind !== 'liteServer.getAccountState') throw new Error(`The pair asks ${call.kind}.`)
  const getAccountState = tlFunctions['liteServer.getAccountState']
  const timings = measure({
    accountState: () => verifyAccountState(call.id, call, getAccountState.decodeResult(response)),
    testnetAccount: check(accountAnswers()[0]!),
    blockHeader: check(localnet('013-getBlockHeader-mode1')),
    oneTransaction: check(localnet('058-getOneTransaction-wallet-v3')),
    chainOf3: check(localnet('088-getBlockProof-from-zerostate')),
    tenSignatures: check(nodeProofs()[0]!),
    mainnetConfig: check(tlAnswers()[0]!),
  })
  const figures = Object.entries(timings).map(([what, { cpuMs }]) => [`${what}Ms`, cpuMs] as const)
  console.log(formatTable(figures.map(([what, ms]) => ({ what, 'ms cpu': ms }))))
  return Object.fromEntries(figures)
}

import { formatBlockIdExt } from '../../primitives/BlockId.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { nameLiteServer } from '../../primitives/LiteServerAddress.ts'
import { type Examination, verdictOn } from './Examination.ts'
import { formatVersion } from './judgeCondition.ts'

/** For a program. What could not be found out is null. */
export const toExaminationView = (examination: Examination) => {
  const { address, condition, archival, provenSeqno, findings } = examination
  return {
    server: nameLiteServer(address),
    key: toBase64(address.publicKey),
    verdict: verdictOn(examination),
    head: condition === undefined ? null : formatBlockIdExt(condition.head),
    lagSeconds: condition?.lagSeconds ?? null,
    clockSeconds: condition?.clockSeconds ?? null,
    version: condition?.version === undefined ? null : formatVersion(condition.version.number),
    capabilities: condition?.version === undefined ? null : String(condition.version.capabilities),
    archival: archival ?? null,
    provenSeqno: provenSeqno ?? null,
    findings,
  }
}

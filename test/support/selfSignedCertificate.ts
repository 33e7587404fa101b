import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts)
const hex = (text: string): Buffer => Buffer.from(text, 'hex')

const ECDSA_WITH_SHA256 = sequence(der(0x06, hex('2a8648ce3d040302')))
const COMMON_NAME = der(0x06, hex('550403'))
const ALTERNATIVE_NAME = der(0x06, hex('551d11'))
const BASIC_CONSTRAINTS = der(0x06, hex('551d13'))
const TRUE = der(0x01, hex('ff'))

const time = (ms: number): Buffer => {
  const digits = new Date(ms).toISOString().replace(/[-:T]/g, '').slice(2, 14)
  return der(0x17, Buffer.from(`${digits}Z`))
}

/** A certificate that a server made for itself, for one name, good for a day. */
export const selfSignedCertificate = (name: string): { readonly cert: string; readonly key: string } => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const issuer = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))))
  const extensions = sequence(
    sequence(BASIC_CONSTRAINTS, TRUE, der(0x04, sequence(TRUE))),
    sequence(ALTERNATIVE_NAME, der(0x04, sequence(der(0x82, Buffer.from(name))))),
  )
  const now = Date.now()
  const signed = sequence(
    der(0xa0, der(0x02, hex('02'))),
    der(0x02, Buffer.concat([hex('01'), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    issuer,
    sequence(time(now - 3_600_000), time(now + 86_400_000)),
    issuer,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signature = der(0x03, hex('00'), sign('sha256', signed, privateKey))
  const base64 = sequence(signed, ECDSA_WITH_SHA256, signature).toString('base64').replace(/.{64}/g, '$&\n')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

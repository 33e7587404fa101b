/** Rights that a key may lack. What needs none of them, any key may do within its plan. */
export const keyScopes = ['stream:all', 'webhooks:read', 'webhooks:write', 'debug'] as const

export type KeyScope = (typeof keyScopes)[number]

/** Of a key that was made without naming any. */
const defaultScopes: readonly KeyScope[] = ['webhooks:read', 'webhooks:write', 'debug']

/** Whether a key has a right. Who may write may also read. */
export const hasScope = (scopes: readonly string[] | undefined, wanted: KeyScope): boolean => {
  const own: readonly string[] = scopes ?? defaultScopes
  return own.includes(wanted) || (wanted === 'webhooks:read' && own.includes('webhooks:write'))
}

import type { NetworkControls } from '../../devnet/network/NetworkControls.ts'
import { endpointFor } from '../core/Endpoint.ts'

/** Defines an endpoint over the controls of the embedded network. */
export const devEndpoint = endpointFor<NetworkControls>()

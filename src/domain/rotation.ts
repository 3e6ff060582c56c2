/** How one key of a daemon vouches for the next: a JWS of this type, signed by the key that is given up. */
export const ROTATION_TYP = 'cacpd-rotation+jwt'

import { createElement, Fragment as Group } from 'preact'

/** What elements are made with: the build puts these into every file that has some. */

export const h = createElement
export const Fragment = Group

import { simulate } from './suite.ts'

simulate('push')

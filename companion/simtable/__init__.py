"""The simulated table: scene, players and cheats, for play without hardware."""
